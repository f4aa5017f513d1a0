#pragma once
// The whole canvas: turns visible rows and a view into one draw list, cached until an input changes. All inputs are
// immutable and compared by pointer or value, so an unchanged frame costs a few comparisons. A list is not cached if
// columns were absent when it was built (trace::ResidentOnly).
#include <cstdint>
#include <memory>
#include <optional>

#include "core/trace/profile.hpp"
#include "render/scene/draw_list.hpp"
#include "render/scene/heat_scene.hpp"
#include "render/scene/highlight.hpp"
#include "render/scene/lane_scene.hpp"
#include "render/scene/palette.hpp"
#include "render/scene/rows.hpp"
#include "render/scene/slice_labels.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// All inputs of the canvas. The canvas has its top left corner at (0, 0) and shows the pinned block, then the rows.
struct TimelineInput {
  std::shared_ptr<const trace::Profile> profile;
  std::shared_ptr<const Layout> layout;
  std::shared_ptr<const Highlight> highlight;  ///< set while a filter is active; other slices are dimmed
  TimeView view;
  int scroll = 0;  ///< scroll offset of the rows in px (pinned rows do not scroll)
  int height = 0;  ///< canvas height in px
  Theme theme = Theme::dark;
  float scale = 1;
  float char_px = 7;  ///< approximate character width of the label font
  bool labels = true;
  FamilySet hidden = 0;  ///< families not drawn

  friend bool operator==(const TimelineInput&, const TimelineInput&) = default;
};

/// A canvas rectangle in px.
struct Box {
  double x0 = 0;
  double y0 = 0;
  double x1 = 0;
  double y1 = 0;
};

class TimelineScene {
 public:
  /// Returns the draw list for `input`; rebuilds it only if `input` changed or the last list lacked columns. Valid
  /// until the next call.
  const DrawList& update(const TimelineInput& input);
  /// True if the list shows slices that are not in memory.
  [[nodiscard]] bool incomplete() const { return incomplete_; }
  [[nodiscard]] const TimelineInput& input() const { return input_; }
  /// Releases the cached inputs; the list is empty until the next update().
  void forget() {
    input_ = {};
    list_ = {};
    slice_labels_.forget();
    heat_maps_.forget();
  }
  /// Increases with each new list, so the renderer knows when to upload again.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

 private:
  TimelineInput input_;
  DrawList list_;
  Palette palette_{Theme::dark};
  SliceLabels slice_labels_;
  HeatMaps heat_maps_;
  std::uint64_t revision_ = 0;
  bool incomplete_ = false;
};

/// Returns the part of `row_height` that slices fill; one pixel (times the scale) stays empty at the bottom.
[[nodiscard]] int content_height(int row_height, float scale);

/// Returns the y of a row's top edge on the canvas; may be outside the canvas.
[[nodiscard]] int canvas_y(const TimelineInput& input, const Row& row);

/// Returns the box of a slice on the canvas, used to outline the selection; may be partly or entirely out of view.
/// Returns nullopt if the slice has neither its own row nor a summary row, or if its time is not in memory.
[[nodiscard]] std::optional<Box> box_of_slice(const TimelineInput& input, trace::SliceRef slice);

/// Returns the start and end of a slice as recorded; nullopt if not in memory (trace::ResidentOnly).
[[nodiscard]] std::optional<Interval> recorded_time(const trace::Rank& rank, trace::SlicePlace place);

/// Returns the busy share (0…1) of a time range for a row's label: mean utilization for devices, coverage by slices for
/// a track. Returns nullopt for other rows, or if times are absent. `range` (the visible one) is clipped to the
/// profile's span.
[[nodiscard]] std::optional<double> visible_share(const trace::Profile& profile, const Row& row, Interval range);

}  // namespace warpscope::scene
