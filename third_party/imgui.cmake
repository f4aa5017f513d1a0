# Dear ImGui, as target imgui: core, the GLFW and OpenGL 3 backends, and the std::string widgets.
#
# Wanted: 1.90 or newer (older ones lose a key that goes down and up within one frame) and older than 1.92 (whose font
# and texture interface is another one). All ways lead to the same interface level, that of 1.90.1:
#   1. -DFETCHCONTENT_SOURCE_DIR_IMGUI=FOLDER   an unpacked source tree, for machines without a network
#   2. the system's package, if it is in that range and has the backends
#   3. on Debian, the distribution's source package of 1.90.1, fetched by apt from the mirror this system uses
#   4. the upstream release, fetched by FetchContent
# 3 and 4 are kept in the user's cache folder and are used only if their SHA-256 is the one written here.

set(imgui_upstream_url https://github.com/ocornut/imgui/archive/refs/tags/v1.90.1.tar.gz)
set(imgui_upstream_commit d6cb3c923d28dcebb2d8d9605ccc7229ccef19eb)
set(imgui_upstream_sha256 21dcc985bb2ae8fe48047c86135dbc438d6980a8f2e08babbda5be820592f282)
set(imgui_debian_suite trixie)
set(imgui_debian_sha256 ecce377df0f90b292f15dcbd83d438bddc162b2388c881132bde18c787572a1c)

include(${CMAKE_CURRENT_LIST_DIR}/imgui_system.cmake)
if(NOT TARGET imgui)
  include(${CMAKE_CURRENT_LIST_DIR}/imgui_source.cmake)
endif()
