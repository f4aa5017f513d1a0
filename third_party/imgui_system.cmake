# The system's Dear ImGui, if its version is in range and its library has the backends: target imgui, else nothing.

if(FETCHCONTENT_SOURCE_DIR_IMGUI)
  return()
endif()

find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui)
find_library(IMGUI_LIBRARY NAMES imgui)
find_library(IMGUI_STB_LIBRARY NAMES stb)
mark_as_advanced(IMGUI_INCLUDE_DIR IMGUI_LIBRARY IMGUI_STB_LIBRARY)
if(NOT IMGUI_INCLUDE_DIR OR NOT IMGUI_LIBRARY)
  return()
endif()

file(STRINGS ${IMGUI_INCLUDE_DIR}/imgui.h version_line REGEX "^#define IMGUI_VERSION_NUM +[0-9]+")
string(REGEX MATCH "[0-9]+" system_version "${version_line}")
if(NOT system_version OR system_version LESS 19000 OR system_version GREATER_EQUAL 19200)
  message(STATUS "Dear ImGui: the system's (${system_version}) is not in 1.90 … 1.91, looking further")
  return()
endif()

add_library(imgui_candidate INTERFACE IMPORTED)
target_include_directories(imgui_candidate SYSTEM INTERFACE ${IMGUI_INCLUDE_DIR} ${IMGUI_INCLUDE_DIR}/backends)
target_link_libraries(imgui_candidate INTERFACE ${IMGUI_LIBRARY} glfw ${CMAKE_DL_LIBS})
if(IMGUI_STB_LIBRARY)
  target_link_libraries(imgui_candidate INTERFACE ${IMGUI_STB_LIBRARY})
endif()

file(WRITE ${PROJECT_BINARY_DIR}/third_party/imgui_probe.cpp [[
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_stdlib.h>
int main() {
  std::string text;
  ImGui::CreateContext();
  return ImGui_ImplGlfw_InitForOpenGL(nullptr, true) && ImGui_ImplOpenGL3_Init() && ImGui::InputText("", &text);
}
]])
try_compile(IMGUI_SYSTEM_WORKS ${PROJECT_BINARY_DIR}/third_party/imgui_probe
            SOURCES ${PROJECT_BINARY_DIR}/third_party/imgui_probe.cpp
            LINK_LIBRARIES imgui_candidate
            CXX_STANDARD 20)
if(IMGUI_SYSTEM_WORKS)
  message(STATUS "Dear ImGui: the system's (${system_version})")
  add_library(imgui INTERFACE)
  target_link_libraries(imgui INTERFACE imgui_candidate)
else()
  message(STATUS "Dear ImGui: the system's (${system_version}) lacks the GLFW or OpenGL 3 backend, looking further")
endif()
