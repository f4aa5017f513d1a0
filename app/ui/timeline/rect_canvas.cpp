#include "app/ui/timeline/rect_canvas.hpp"

#include <cmath>
#include <utility>

namespace warpscope::ui {

void RectCanvas::add(ImDrawList& draw_list, const scene::DrawList& list, std::uint64_t revision, ImVec2 at, ImVec2 size,
                     float scale) {
  list_ = &list;
  revision_ = revision;
  at_ = at;
  size_ = size;
  scale_ = scale;
  draw_list.AddCallback([](const ImDrawList*,
                           const ImDrawCmd* command) { static_cast<RectCanvas*>(command->UserCallbackData)->render(); },
                        this);
  draw_list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

std::optional<Error> RectCanvas::take_error() { return std::exchange(error_, std::nullopt); }

void RectCanvas::render() {
  if (failed_) return;
  if (!pass_) {
    auto made = gl::RectPass::create();
    if (!made) {
      failed_ = true;
      error_ = made.error();
      return;
    }
    pass_.emplace(std::move(*made));
  }
  const ImDrawData& data = *ImGui::GetDrawData();
  const auto pixel = [](float value) { return static_cast<int>(std::lround(value)); };
  const gl::Canvas canvas{.x = pixel(at_.x - data.DisplayPos.x),
                          .y = pixel(at_.y - data.DisplayPos.y),
                          .width = pixel(size_.x),
                          .height = pixel(size_.y),
                          .framebuffer_height = pixel(data.DisplaySize.y * data.FramebufferScale.y)};
  gl::RectStyle style;
  style.gap = std::max(1, pixel(scale_));
  style.gap_from = 3 * style.gap;
  pass_->upload(list_->rects, revision_);
  pass_->draw(canvas, style);
}

}  // namespace warpscope::ui
