#include "app/ui/shell/imgui_host.hpp"

#include <epoxy/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <utility>

namespace warpscope::ui {

Result<ImGuiHost> ImGuiHost::create() {
  ImGuiContext* context = ImGui::CreateContext();
  ImGui::SetCurrentContext(context);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the settings file stores everything that must be saved
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would keep drawing frames while idle
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.Fonts->Flags |= ImFontAtlasFlags_NoMouseCursors;
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
    ImGui::DestroyContext(context);
    return Error{"OpenGL", "cannot set up the interface", "install a driver that supports OpenGL 3.3"};
  }
  return ImGuiHost(context);
}

ImGuiHost::ImGuiHost(ImGuiHost&& other) noexcept : context_(std::exchange(other.context_, nullptr)) {}

ImGuiHost::~ImGuiHost() {
  if (context_ == nullptr) return;
  ImGui::SetCurrentContext(context_);
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context_);
}

void ImGuiHost::make_current() const { ImGui::SetCurrentContext(context_); }

void ImGuiHost::prepare(App& app, float display_scale) const {
  if (app.prepare(display_scale)) ImGui_ImplOpenGL3_DestroyFontsTexture();  // NewFrame recreates it
  ImGui_ImplOpenGL3_NewFrame();
  if (ImGui::GetIO().Fonts->TexID == ImTextureID{}) ImGui_ImplOpenGL3_CreateFontsTexture();
}

void ImGuiHost::draw(const App& app, int width, int height) const {
  const ImVec4 ground = to_vec4(app.context().theme.ground);
  glViewport(0, 0, width, height);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(ground.x, ground.y, ground.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace warpscope::ui
