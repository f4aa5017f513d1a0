#pragma once
// Draws a scene's rectangles inside a Dear ImGui frame: a draw callback passes them to OpenGL in one call, clipped to
// their box. Use one object per long-lived scene::DrawList.
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>

#include "render/gl/rect_pass.hpp"
#include "render/scene/draw_list.hpp"

namespace warpscope::ui {

class RectCanvas {
 public:
  RectCanvas() = default;
  RectCanvas(const RectCanvas&) = delete;
  RectCanvas& operator=(const RectCanvas&) = delete;

  /// Adds the rectangles to this frame. `at`: screen px. `list` must live until the frame is rendered; it is uploaded
  /// again if `revision` changed.
  void add(ImDrawList& draw_list, const scene::DrawList& list, std::uint64_t revision, ImVec2 at, ImVec2 size,
           float scale);
  /// Returns and clears the OpenGL error that prevented drawing, if any.
  [[nodiscard]] std::optional<Error> take_error();

 private:
  void render();

  std::optional<gl::RectPass> pass_;
  const scene::DrawList* list_ = nullptr;
  std::uint64_t revision_ = 0;
  ImVec2 at_{};
  ImVec2 size_{};
  float scale_ = 1;
  bool failed_ = false;
  std::optional<Error> error_;
};

}  // namespace warpscope::ui
