# Dear ImGui from source: finds one archive of the pinned ones, in the cache or by the network, and builds target imgui.

set(cache_root $ENV{XDG_CACHE_HOME})
if(NOT cache_root)
  set(cache_root $ENV{HOME}/.cache)
endif()
set(cache_folder ${cache_root}/warpscope/third_party)
set(debian_archive ${cache_folder}/imgui_1.90.1+ds.orig.tar.xz)
set(upstream_archive ${cache_folder}/imgui-1.90.1.tar.gz)

# Sets RESULT to whether FILE is there and has the hash.
function(archive_is_good file sha256 result)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS ${file})
    file(SHA256 ${file} found)
    if(found STREQUAL sha256)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(is_debian result)
  set(${result} FALSE PARENT_SCOPE)
  find_program(APT_GET apt-get)
  mark_as_advanced(APT_GET)
  if(EXISTS /etc/os-release AND APT_GET)
    file(STRINGS /etc/os-release id REGEX "^ID=\"?debian\"?$")
    if(id)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(fetch_debian_archive)
  message(STATUS "Dear ImGui: fetching Debian's source package (${imgui_debian_suite}) by apt")
  execute_process(
    COMMAND bash ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/debian_source.sh
            imgui ${imgui_debian_suite} ${debian_archive} ${imgui_debian_sha256} ${PROJECT_BINARY_DIR}/third_party/apt
    TIMEOUT 180
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(STATUS "Dear ImGui: apt could not get it (${status}):\n${output}")
  endif()
endfunction()

function(fetch_upstream_archive)
  message(STATUS "Dear ImGui: fetching the upstream release (commit ${imgui_upstream_commit})")
  file(MAKE_DIRECTORY ${cache_folder})
  file(DOWNLOAD ${imgui_upstream_url} ${upstream_archive}.part TIMEOUT 60 INACTIVITY_TIMEOUT 15 STATUS status)
  list(GET status 0 code)
  archive_is_good(${upstream_archive}.part ${imgui_upstream_sha256} good)
  if(good)
    file(RENAME ${upstream_archive}.part ${upstream_archive})
    return()
  endif()
  file(REMOVE ${upstream_archive}.part)
  if(code EQUAL 0)
    set(reason "the archive has another SHA-256 than the pinned one")
  else()
    list(GET status 1 reason)
  endif()
  message(FATAL_ERROR
    "Dear ImGui 1.90.1 could not be fetched: ${reason}.\n"
    "On a machine without network, unpack a copy of it and configure once with\n"
    "  cmake --preset release -DFETCHCONTENT_SOURCE_DIR_IMGUI=/path/to/imgui-1.90.1\n"
    "or put the archive of ${imgui_upstream_url}\n"
    "at ${upstream_archive}.\n"
    "Without window and snapshots: -DWARPSCOPE_GRAPHICS=OFF.")
endfunction()

if(NOT FETCHCONTENT_SOURCE_DIR_IMGUI)
  archive_is_good(${debian_archive} ${imgui_debian_sha256} have_debian)
  archive_is_good(${upstream_archive} ${imgui_upstream_sha256} have_upstream)
  is_debian(on_debian)
  if(NOT have_debian AND NOT have_upstream AND on_debian)
    fetch_debian_archive()
    archive_is_good(${debian_archive} ${imgui_debian_sha256} have_debian)
  endif()
  if(NOT have_debian AND NOT have_upstream)
    fetch_upstream_archive()
  endif()
endif()

include(FetchContent)
if(have_debian)
  FetchContent_Declare(imgui URL ${debian_archive} URL_HASH SHA256=${imgui_debian_sha256}
                       DOWNLOAD_EXTRACT_TIMESTAMP TRUE)
else()
  FetchContent_Declare(imgui URL ${upstream_archive} URL_HASH SHA256=${imgui_upstream_sha256}
                       DOWNLOAD_EXTRACT_TIMESTAMP TRUE)
endif()
FetchContent_MakeAvailable(imgui)  # it has no CMakeLists.txt: this only unpacks and sets imgui_SOURCE_DIR
message(STATUS "Dear ImGui: 1.90.1 from source, ${imgui_SOURCE_DIR}")

add_library(imgui STATIC
  ${imgui_SOURCE_DIR}/imgui.cpp
  ${imgui_SOURCE_DIR}/imgui_demo.cpp
  ${imgui_SOURCE_DIR}/imgui_draw.cpp
  ${imgui_SOURCE_DIR}/imgui_tables.cpp
  ${imgui_SOURCE_DIR}/imgui_widgets.cpp
  ${imgui_SOURCE_DIR}/misc/cpp/imgui_stdlib.cpp
  ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp
  ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/backends
                                               ${imgui_SOURCE_DIR}/misc/cpp)
# Newer releases drop what 1.90.1 calls obsolete; without those functions the sources fit all of them.
target_compile_definitions(imgui PUBLIC IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS)
target_compile_options(imgui PRIVATE $<$<CONFIG:Release>:-O2>)
target_link_libraries(imgui PUBLIC glfw ${CMAKE_DL_LIBS})
