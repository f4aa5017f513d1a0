// Lines between tracks, which distinguish deep threads without their labels.
#include "app/ui/timeline/overlays/overlay.hpp"

namespace warpscope::ui::registered::row_lines {

namespace {

class RowLines final : public Overlay {
 public:
  void draw(const OverlayFrame& frame) override {
    const auto& [app, input, list, at, over] = frame;
    const float right = at.x + to_float(input.view.width());
    for (const scene::Row& row : input.layout->rows()) {
      const int y = scene::canvas_y(input, row);
      if (y >= input.height) break;
      if (!row.first || y <= input.layout->pinned_height()) continue;
      const float top = at.y + to_float(y - 1);
      list.AddRectFilled({at.x, top}, {right, top + app.px(1)}, faded(app.theme.line, 0.5f));
    }
  }
};

}  // namespace

const OverlaySpec kOverlay{.id = "row-lines", .plane = OverlaySpec::Plane::below, .make = make_overlay<RowLines>};

}  // namespace warpscope::ui::registered::row_lines
