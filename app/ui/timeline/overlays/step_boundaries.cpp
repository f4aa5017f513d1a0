// Lines where training steps start, over all tracks.
#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"

namespace warpscope::ui::registered::step_boundaries {

namespace {

constexpr double kLeastStepPx = 24;  // boundaries of narrower steps would look like a grid

class StepBoundaries final : public Overlay {
 public:
  void draw(const OverlayFrame& frame) override {
    const auto& [app, input, list, at, over] = frame;
    if (over.steps == nullptr) return;
    const float bottom = at.y + to_float(input.height);
    const scene::Color color = faded(app.theme.muted, 0.30f);
    for (const scene::StepBox& box : *over.steps) {
      if (box.last - box.first != 1 || box.x1 - box.x0 < kLeastStepPx * app.px.scale || box.x0 <= 0) continue;
      line_down(list, at.x + to_float(box.x0), at.y, bottom, app.px(1), color);
    }
  }
};

}  // namespace

const OverlaySpec kOverlay{.id = "step-boundaries",
                           .plane = OverlaySpec::Plane::below,
                           .make = make_overlay<StepBoundaries>,
                           .shown = OverlaySpec::Default::on,
                           .name = "step boundaries",
                           .command = "overlay.step-boundaries",
                           .title = "Toggle step boundaries",
                           .color = &scene::ThemeColors::muted,
                           .active = [](const OverlayInput& over) { return over.steps && !over.steps->empty(); }};

}  // namespace warpscope::ui::registered::step_boundaries
