#include "app/ui/timeline/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/ui/widgets/messages.hpp"

namespace warpscope::ui {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::ptrdiff_t kLeastCharacters = 3;

}  // namespace

ImFont& row_font(const AppContext& app, scene::Density density) {
  return density == scene::Density::compact ? *app.fonts.small : *app.fonts.ui;
}

void draw_labels(ImDrawList& list, ImFont& font, std::span<const scene::Label> labels, ImVec2 at) {
  const float size = font.FontSize;
  const float ellipsis = font.CalcTextSizeA(size, FLT_MAX, 0, kEllipsis.data(), kEllipsis.data() + kEllipsis.size()).x;
  for (const scene::Label& label : labels) {
    const float room = label.x1 - label.x0;
    const char* const begin = label.text.data();
    const char* const end = begin + label.text.size();
    const char* cut = end;
    float width = font.CalcTextSizeA(size, room, 0, begin, end, &cut).x;
    const bool fits = cut == end;
    if (!fits) {
      if (room <= ellipsis) continue;
      width = font.CalcTextSizeA(size, room - ellipsis, 0, begin, end, &cut).x;
      if (cut - begin < kLeastCharacters) continue;
    }
    const ImVec2 place(std::floor(at.x + label.x0), std::floor(at.y + label.y + (label.height - size) / 2));
    const ImVec4 clip(at.x + label.x0, at.y + label.y, at.x + label.x1 + 1, at.y + label.y + label.height + 1);
    list.AddText(&font, size, place, label.color, begin, cut, 0, &clip);
    if (!fits) {
      list.AddText(&font, size, {place.x + width, place.y}, label.color, kEllipsis.data(),
                   kEllipsis.data() + kEllipsis.size(), 0, &clip);
    }
  }
}

void Canvas::draw(AppContext& app, const TimelineState& state, ImVec2 at, const OverlayInput& over) {
  input_ = state.input();
  input_.theme = app.theme.kind;
  ImFont& font = row_font(app, state.tracks().density);
  input_.char_px = font.CalcTextSizeA(font.FontSize, FLT_MAX, 0, "n").x;
  const scene::DrawList& drawn = scene_.update(input_);
  rects_ = drawn.rects.size();
  labels_ = drawn.labels.size();

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 size(static_cast<float>(state.width()), static_cast<float>(state.height()));
  const OverlayFrame frame{app, input_, list, at, over};
  overlays_.draw(OverlaySpec::Plane::below, frame);
  rect_canvas_.add(list, drawn, scene_.revision(), at, size, app.px.scale);
  if (const auto error = rect_canvas_.take_error()) app.messages.error(*error);
  list.PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  overlays_.draw(OverlaySpec::Plane::names, frame);
  draw_labels(list, font, drawn.labels, at);
  overlays_.draw(OverlaySpec::Plane::above, frame);
  list.PopClipRect();
}

}  // namespace warpscope::ui
