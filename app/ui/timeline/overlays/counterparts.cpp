// Outlines the kernels of the selected collective on all ranks. The selection overlay outlines the selected one.
#include <memory>
#include <optional>
#include <vector>

#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui::registered::counterparts {

namespace {

class Counterparts final : public Overlay {
 public:
  void draw(const OverlayFrame& frame) override {
    const auto& [app, input, list, at, over] = frame;
    if (set_ != over.ribbons || !(input == made_of_) || choice_ != over.collective) {
      set_ = over.ribbons;
      made_of_ = input;
      choice_ = over.collective;
      found_ =
          set_ && choice_ ? scene::counterparts_in_view(input, *set_, *choice_) : std::vector<scene::Counterpart>();
    }
    for (const scene::Counterpart& each : found_)
      outline(frame, each.box, app.px(each.exact ? 2.0f : 1.0f), faded(app.theme.text, each.exact ? 0.85f : 0.6f));
  }
  void write_state(JsonWriter& writer) const override { writer.member("counterparts", found_.size()); }

 private:
  std::shared_ptr<const scene::RibbonSet> set_;
  scene::TimelineInput made_of_;
  std::optional<scene::RibbonChoice> choice_;
  std::vector<scene::Counterpart> found_;
};

}  // namespace

const OverlaySpec kOverlay{.id = "counterparts", .make = make_overlay<Counterparts>};

}  // namespace warpscope::ui::registered::counterparts
