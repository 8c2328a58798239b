# Torch::torch: LibTorch as imported targets of our own.
#
# find_package(Torch) of the wheel demands a CUDA toolkit even for CPU work. We link torch_cpu and
# c10 alone; the CUDA backend, where it is installed, is opened at run time (nets/torch/runtime.h),
# so that one binary serves machines with and without a GPU.
set(torch_dir "${CHUHE_TORCH_DIR}")
if(NOT torch_dir)
  file(GLOB torch_dir "${PROJECT_SOURCE_DIR}/build/venv/lib/python3*/site-packages/torch")
endif()
if(NOT EXISTS "${torch_dir}/lib/libtorch_cpu.so")
  message(FATAL_ERROR
    "No LibTorch in '${torch_dir}' (lib/libtorch_cpu.so is missing). Run scripts/setup.sh, point "
    "CHUHE_TORCH_DIR at a LibTorch, or build without it: -DCHUHE_TORCH=OFF.")
endif()
message(STATUS "LibTorch: ${torch_dir}")

foreach(library c10 torch_cpu)
  add_library(Torch::${library} SHARED IMPORTED)
  set_target_properties(Torch::${library} PROPERTIES
    IMPORTED_LOCATION "${torch_dir}/lib/lib${library}.so")
endforeach()

add_library(Torch::torch INTERFACE IMPORTED)
target_include_directories(Torch::torch SYSTEM INTERFACE
  "${torch_dir}/include" "${torch_dir}/include/torch/csrc/api/include")
target_link_libraries(Torch::torch INTERFACE Torch::torch_cpu Torch::c10)
