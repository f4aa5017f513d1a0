// Thin arrows from the launches in view to their GPU activity, which show the overall pattern. The selection's arrows
// belong to the selection overlay.
#include <utility>
#include <vector>

#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "core/base/json_writer.hpp"
#include "core/trace/resident_only.hpp"
#include "render/scene/arrows.hpp"

namespace warpscope::ui::registered::launch_arrows {

namespace {

class LaunchArrows final : public Overlay {
 public:
  void draw(const OverlayFrame& frame) override {
    const auto& [app, input, list, at, over] = frame;
    if (incomplete_ || !(input == made_of_)) {
      const trace::MissWatch watch;
      made_of_ = input;
      arrows_ = scene::arrows_in_view(input);
      incomplete_ = watch.any();
    }
    const ArrowLook look{.color = faded(app.theme.connection, 0.6f)};
    for (const scene::Arrow& arrow : arrows_.arrows)
      if (!over.selection || (arrow.launch != *over.selection && arrow.run != *over.selection))
        draw_arrow(frame, arrow, look);
    if (arrows_.too_many) corner_note(frame, "Too many launches in view to draw arrows; zoom in");
  }
  void write_state(JsonWriter& writer) const override {
    writer.member("launch_arrows", arrows_.arrows.size());
    writer.member("too_many_arrows", arrows_.too_many);
  }

 private:
  scene::TimelineInput made_of_;
  scene::ArrowsInView arrows_;
  bool incomplete_ = false;  // required columns are being loaded
};

}  // namespace

const OverlaySpec kOverlay{.id = "launch-arrows",
                           .make = make_overlay<LaunchArrows>,
                           .shown = OverlaySpec::Default::off,
                           .name = "all launch arrows",
                           .command = "view.all-launch-arrows",
                           .title = "Toggle launch arrows for all kernels in view",
                           .key = "L",
                           .color = &scene::ThemeColors::connection,
                           .active = [](const OverlayInput& over) { return over.has_launches; }};

}  // namespace warpscope::ui::registered::launch_arrows
