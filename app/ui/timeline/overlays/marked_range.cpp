// The marked time range: a band over its rows, with its duration.
#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui::registered::marked_range {

namespace {

class MarkedRange final : public Overlay {
 public:
  void draw(const OverlayFrame& frame) override {
    const auto& [app, input, list, at, over] = frame;
    if (!over.range) return;
    const DrawnRange& range = *over.range;
    const double width = input.view.width();
    const double x0 = input.view.to_px(range.time.begin);
    const double x1 = input.view.to_px(range.time.end);
    const float left = at.x + to_float(std::clamp(x0, -2.0, width + 2));
    const float right = std::max(left + app.px(1), at.x + to_float(std::clamp(x1, -2.0, width + 2)));
    const float bottom = at.y + to_float(input.height);
    const float pinned = to_float(input.layout->pinned_height());
    const float edge = app.px(range.edge_hot ? 2 : 1);
    float label_y = at.y + app.px(4);
    const auto band = [&](float y0, float y1) {
      list.AddRectFilled({left, y0}, {right, y1}, app.theme.range);
      line_down(list, left, y0, y1, edge, app.theme.accent);
      line_down(list, right, y0, y1, edge, app.theme.accent);
    };
    if (range.all_rows) {
      band(at.y, bottom);
    } else {
      bool first = true;
      const auto add = [&](const std::vector<scene::Row>& rows, float clip_top, float clip_bottom) {
        for (const scene::Row& row : rows) {
          const float y0 = std::max(clip_top, at.y + to_float(scene::canvas_y(input, row)));
          const float y1 = std::min(clip_bottom, at.y + to_float(scene::canvas_y(input, row) + row.height));
          if (y1 <= y0 || !range.covers(row)) continue;
          band(y0, y1);
          if (first) label_y = y0 + app.px(2);
          first = false;
        }
      };
      add(input.layout->pinned(), at.y, at.y + pinned);
      add(input.layout->rows(), at.y + pinned, bottom);
      if (first) return;
    }
    if (x1 < 0 || x0 > width) return;
    const std::string length = format_duration(range.time.length());
    const ImVec2 size = ImGui::CalcTextSize(length.c_str());
    const float pad = app.px(6);
    const float centre = (std::max(left, at.x) + std::min(right, at.x + to_float(width))) / 2;
    const float label_x =
        std::clamp(centre - size.x / 2, at.x + pad, std::max(at.x + pad, at.x + to_float(width) - size.x - pad));
    list.AddRectFilled({std::floor(label_x - pad), label_y},
                       {std::floor(label_x + size.x + pad), label_y + size.y + app.px(2)}, app.theme.accent, app.px(4));
    list.AddText({std::floor(label_x), label_y + app.px(1)}, app.theme.dark() ? app.theme.ground : 0xFFFFFFFFu,
                 length.c_str());
  }
};

}  // namespace

const OverlaySpec kOverlay{.id = "marked-range", .make = make_overlay<MarkedRange>};

}  // namespace warpscope::ui::registered::marked_range
