# chuhe_options: the flags, include root and warnings that every target of ours compiles with.
add_library(chuhe_options INTERFACE)
target_include_directories(chuhe_options INTERFACE "${PROJECT_SOURCE_DIR}")

if(MSVC)
  target_compile_options(chuhe_options INTERFACE
    /W4 /permissive- /utf-8 $<$<BOOL:${CHUHE_WERROR}>:/WX>
    $<$<STREQUAL:${CHUHE_ARCH},x86-64-v3>:/arch:AVX2>)
  return()
endif()

# nvcc gets neither set: it splits a file between two compilers that name warnings differently.
# Fields left out of a designated initialiser have their defaults: that is what those are for.
set(warnings
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough -Wextra-semi -Wno-missing-field-initializers)
if(CHUHE_WERROR)
  list(APPEND warnings -Werror)
endif()
if(CHUHE_ARCH)
  set(arch "-march=${CHUHE_ARCH}")
endif()
target_compile_options(chuhe_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings};${arch}>")

if(CHUHE_SANITIZE)
  set(sanitize -fsanitize=${CHUHE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(chuhe_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${sanitize}>")
  target_link_options(chuhe_options INTERFACE ${sanitize})
endif()
