# CHUHE_REVISION: the git revision at configure time, `-dirty` with uncommitted changes, and
# `unknown` outside a checkout of our own (a release archive, or one unpacked in another's checkout).
set(CHUHE_REVISION unknown)
find_package(Git QUIET)
if(Git_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(
    COMMAND "${GIT_EXECUTABLE}" -C "${PROJECT_SOURCE_DIR}" describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(CHUHE_REVISION "${revision}")
  endif()
  # Each commit configures again (about a second), so that a binary names the revision it is of.
  foreach(file HEAD logs/HEAD)
    if(EXISTS "${PROJECT_SOURCE_DIR}/.git/${file}")
      set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY
                   CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/${file}")
    endif()
  endforeach()
endif()
