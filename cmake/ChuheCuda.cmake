# nvcc and the CUDA toolkit, for nets/cuda alone.
#
# Machine code for Turing, Ampere and Hopper; the PTX of the newest serves GPUs that came later.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)
endif()
# Shared, as torch's CUDA backend in the same process uses it too.
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  # CMake 3.25 does not know that nvcc speaks C++20.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
find_package(CUDAToolkit REQUIRED)

# CUDNN::cudnn, for the convolutions: beside the toolkit, where the system looks, or in
# CHUHE_CUDNN_DIR, which may be site-packages/nvidia/cudnn of the wheel nvidia-cudnn-cu13.
set(CHUHE_CUDNN_DIR "$ENV{CHUHE_CUDNN_DIR}" CACHE PATH
    "A cuDNN (holds include/ and lib/); empty: the one beside the CUDA toolkit")
find_path(CHUHE_CUDNN_INCLUDE cudnn_version.h
  HINTS "${CHUHE_CUDNN_DIR}" ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
find_library(CHUHE_CUDNN_LIBRARY NAMES cudnn libcudnn.so.9
  HINTS "${CHUHE_CUDNN_DIR}" "${CUDAToolkit_LIBRARY_DIR}" PATH_SUFFIXES lib lib64)
if(NOT CHUHE_CUDNN_INCLUDE OR NOT CHUHE_CUDNN_LIBRARY)
  message(FATAL_ERROR
    "CHUHE_CUDA needs cuDNN 9, but found header cudnn_version.h: ${CHUHE_CUDNN_INCLUDE}, library "
    "libcudnn: ${CHUHE_CUDNN_LIBRARY}. Install cuDNN beside the CUDA toolkit, point "
    "CHUHE_CUDNN_DIR at it, or build without CUDA: -DCHUHE_CUDA=OFF.")
endif()
file(STRINGS "${CHUHE_CUDNN_INCLUDE}/cudnn_version.h" cudnn_major REGEX "#define CUDNN_MAJOR 9")
if(NOT cudnn_major)
  message(FATAL_ERROR "CHUHE_CUDA needs cuDNN 9; ${CHUHE_CUDNN_INCLUDE} holds another version. "
                      "Point CHUHE_CUDNN_DIR at one.")
endif()
message(STATUS "cuDNN: ${CHUHE_CUDNN_LIBRARY}")
add_library(CUDNN::cudnn SHARED IMPORTED)
set_target_properties(CUDNN::cudnn PROPERTIES IMPORTED_LOCATION "${CHUHE_CUDNN_LIBRARY}")
target_include_directories(CUDNN::cudnn SYSTEM INTERFACE "${CHUHE_CUDNN_INCLUDE}")
