# GLFW, libepoxy and libpng: all of them or no graphics at all. Sets warpscope_graphics.

find_package(glfw3 3.3 QUIET)
pkg_check_modules(epoxy QUIET IMPORTED_TARGET epoxy)
find_package(PNG QUIET)

set(missing "")
if(NOT TARGET glfw)
  list(APPEND missing "GLFW (libglfw3-dev)")
endif()
if(NOT TARGET PkgConfig::epoxy)
  list(APPEND missing "libepoxy (libepoxy-dev)")
endif()
if(NOT TARGET PNG::PNG)
  list(APPEND missing "libpng (libpng-dev)")
endif()
list(JOIN missing ", " missing)

if(NOT missing)
  set(warpscope_graphics TRUE)
elseif(WARPSCOPE_GRAPHICS STREQUAL "ON")
  message(FATAL_ERROR "WARPSCOPE_GRAPHICS=ON, but not found: ${missing}. ./dev setup installs them.")
else()
  message(STATUS "No graphics: not found: ${missing}. Building core, scene and the command line without window and "
                 "snapshots; ./dev setup installs what is missing.")
endif()
