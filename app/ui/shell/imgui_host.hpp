#pragma once
// An ImGui context with its OpenGL backend, used by both the window and the offscreen target. Requires a current OpenGL
// context.
#include <memory>
#include <string>

#include "app/ui/shell/app.hpp"
#include "core/base/result.hpp"

struct ImGuiContext;

namespace warpscope::ui {

class ImGuiHost {
 public:
  /// An OpenGL context must be current from construction to destruction.
  static Result<ImGuiHost> create();
  ~ImGuiHost();
  ImGuiHost(ImGuiHost&& other) noexcept;
  ImGuiHost& operator=(ImGuiHost&& other) = delete;

  /// Makes this the current ImGui context.
  void make_current() const;
  /// Lets the app apply the theme and scale, and uploads changed fonts. Call before each frame.
  void prepare(App& app, float display_scale) const;
  /// Clears the bound framebuffer to the background color and draws. Call after ImGui::Render(). Size in framebuffer
  /// px.
  void draw(const App& app, int width, int height) const;

 private:
  explicit ImGuiHost(ImGuiContext* context) : context_(context) {}

  ImGuiContext* context_ = nullptr;
};

}  // namespace warpscope::ui
