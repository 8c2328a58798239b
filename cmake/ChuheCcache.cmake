# Compile through ccache where it is installed and nothing else was asked for.
find_program(CHUHE_CCACHE ccache)
if(CHUHE_CCACHE)
  foreach(language CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER "${CHUHE_CCACHE}")
    endif()
  endforeach()
endif()
