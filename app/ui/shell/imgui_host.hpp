#pragma once
// An ImGui context with its OpenGL backend, for whoever has an OpenGL context current: the window and the offscreen
// target draw through the same few lines.
#include <memory>
#include <string>

#include "app/ui/shell/app.hpp"
#include "core/base/result.hpp"

struct ImGuiContext;

namespace warpscope::ui {

class ImGuiHost {
 public:
  /// An OpenGL context must be current, now and until the destructor.
  static Result<ImGuiHost> create();
  ~ImGuiHost();
  ImGuiHost(ImGuiHost&& other) noexcept;
  ImGuiHost& operator=(ImGuiHost&& other) = delete;

  /// Makes this the context that ImGui's functions work on.
  void make_current() const;
  /// Before a frame: lets the app apply theme and scale, uploads fonts that changed.
  void prepare(App& app, float display_scale) const;
  /// After ImGui::Render(): clears what is bound to the ground colour and draws. Size in framebuffer px.
  void draw(const App& app, int width, int height) const;

 private:
  explicit ImGuiHost(ImGuiContext* context) : context_(context) {}

  ImGuiContext* context_ = nullptr;
};

}  // namespace warpscope::ui
