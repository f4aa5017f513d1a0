// The selected slice with the arrows to its connections, and the slice under the pointer.
#include <optional>
#include <vector>

#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "core/base/json_writer.hpp"
#include "core/trace/resident_only.hpp"
#include "render/scene/arrows.hpp"

namespace warpscope::ui::registered::selection {

namespace {

/// If the row of the selected slice is folded, marks the row that represents it.
void mark_on_ancestor(const OverlayFrame& frame, trace::SliceRef slice) {
  const scene::TimelineInput& input = frame.input;
  const trace::Rank& rank = *input.profile->ranks[slice.rank];
  const trace::SlicePlace place = rank.locate(slice.slice);
  const std::uint32_t index = input.layout->row_of_lane(*input.profile, slice.rank, place.lane);
  if (index == scene::Row::kNone) return;
  const scene::Row& row = input.layout->rows()[index];
  const auto time = scene::recorded_time(rank, place);
  if (!time) return;
  const double y = scene::canvas_y(input, row);
  outline(frame,
          {input.view.to_px(time->begin), y, input.view.to_px(time->end),
           y + scene::content_height(row.height, input.scale)},
          frame.app.px(1), frame.app.theme.text);
}

class Selection final : public Overlay {
 public:
  void draw(const OverlayFrame& frame) override {
    const auto& [app, input, list, at, over] = frame;
    if (over.hover && over.hover != over.selection)
      for (const scene::Box& box : boxes_of(input, *over.hover))
        outline(frame, box, app.px(1), faded(app.theme.text, 0.8f));
    if (incomplete_ || !(input == made_of_) || over.selection != selection_) {
      const trace::MissWatch watch;
      made_of_ = input;
      selection_ = over.selection;
      arrows_.clear();
      if (selection_) arrows_ = scene::arrows_of(input, *selection_);
      incomplete_ = watch.any();
    }
    const ArrowLook look{
        .color = app.theme.connection, .casing = app.theme.connection_casing, .thickness = 2, .head = 8, .dot = true};
    for (const scene::Arrow& arrow : arrows_) draw_arrow(frame, arrow, look);
    if (!selection_) return;
    const std::vector<scene::Box> boxes = boxes_of(input, *selection_);
    for (const scene::Box& box : boxes) outline(frame, box, app.px(2), app.theme.text);
    if (boxes.empty()) mark_on_ancestor(frame, *selection_);
  }
  void write_state(JsonWriter& writer) const override { writer.member("arrows", arrows_.size()); }

 private:
  scene::TimelineInput made_of_;
  std::optional<trace::SliceRef> selection_;
  std::vector<scene::Arrow> arrows_;
  bool incomplete_ = false;  // required columns are being loaded
};

}  // namespace

const OverlaySpec kOverlay{.id = "selection", .make = make_overlay<Selection>};

}  // namespace warpscope::ui::registered::selection
