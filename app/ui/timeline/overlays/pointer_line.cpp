// A line at the pointer for comparing times across tracks.
#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"

namespace warpscope::ui::registered::pointer_line {

namespace {

class PointerLine final : public Overlay {
 public:
  void draw(const OverlayFrame& frame) override {
    const auto& [app, input, list, at, over] = frame;
    if (!over.pointer_x) return;
    line_down(list, at.x + to_float(*over.pointer_x), at.y, at.y + to_float(input.height), app.px(1),
              faded(app.theme.text, 0.25f));
  }
};

}  // namespace

const OverlaySpec kOverlay{.id = "pointer-line", .make = make_overlay<PointerLine>};

}  // namespace warpscope::ui::registered::pointer_line
