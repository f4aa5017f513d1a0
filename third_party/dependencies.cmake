# What the project stands on and where each piece comes from. Everything is a package of the distribution (./dev setup
# installs them); Dear ImGui has its own file because distributions differ in it. Nothing is vendored.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3>=3.40)
# Optional: without libedit, the prompt of `warpscope sql` has no history and no completion.
pkg_check_modules(libedit IMPORTED_TARGET libedit)
# Optional: without ISA-L, gzip is decompressed by zlib, a third as fast.
pkg_check_modules(isal IMPORTED_TARGET libisal)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)

set(warpscope_graphics FALSE)
if(NOT WARPSCOPE_GRAPHICS STREQUAL "OFF")
  include(${CMAKE_CURRENT_LIST_DIR}/graphics.cmake)
endif()
if(warpscope_graphics)
  include(${CMAKE_CURRENT_LIST_DIR}/imgui.cmake)
endif()
