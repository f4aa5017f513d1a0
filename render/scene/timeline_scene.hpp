#pragma once
// The whole canvas: visible rows × view → one draw list, kept while nothing that it depends on changes. All inputs are
// immutable and compared by pointer or value, so an unchanged frame costs a handful of comparisons.
#include <cstdint>
#include <memory>
#include <optional>

#include "core/trace/profile.hpp"
#include "render/scene/draw_list.hpp"
#include "render/scene/highlight.hpp"
#include "render/scene/lane_scene.hpp"
#include "render/scene/palette.hpp"
#include "render/scene/rows.hpp"
#include "render/scene/slice_labels.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// Everything that the canvas depends on. Its top left corner is (0, 0): first the pinned block, then the rows.
struct TimelineInput {
  std::shared_ptr<const trace::Profile> profile;
  std::shared_ptr<const Layout> layout;
  std::shared_ptr<const Highlight> highlight;  ///< set while a filter is on: the rest is dimmed
  TimeView view;
  int scroll = 0;  ///< px that the rows (not the pinned ones) are scrolled up
  int height = 0;  ///< px of the canvas
  Theme theme = Theme::dark;
  float scale = 1;
  float char_px = 7;  ///< about the width of a character of the labels' font
  bool labels = true;
  FamilySet hidden = 0;  ///< families that are left out

  friend bool operator==(const TimelineInput&, const TimelineInput&) = default;
};

/// A rectangle of the canvas in px.
struct Box {
  double x0 = 0;
  double y0 = 0;
  double x1 = 0;
  double y1 = 0;
};

class TimelineScene {
 public:
  /// The list for `input`, made anew only if it differs from the last call's. Valid until the next call.
  const DrawList& update(const TimelineInput& input);
  [[nodiscard]] const TimelineInput& input() const { return input_; }
  /// Lets go of what was shown last; the list is empty until the next update().
  void forget() {
    input_ = {};
    list_ = {};
    slice_labels_.forget();
  }
  /// Grows with each list made: tells the drawer when to upload again.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

 private:
  TimelineInput input_;
  DrawList list_;
  Palette palette_{Theme::dark};
  SliceLabels slice_labels_;
  std::uint64_t revision_ = 0;
};

/// Of a row of `height` px, the part that slices fill: one pixel (times the scale) stays free below.
[[nodiscard]] int content_height(int row_height, float scale);

/// Canvas y of the top of a row of layout.rows(); may be out of the canvas.
[[nodiscard]] int canvas_y(const TimelineInput& input, const Row& row);

/// Where a slice stands on the canvas, if its row exists and is itself unfolded; may be partly or wholly out of view.
/// For the outline of a selection.
[[nodiscard]] std::optional<Box> box_of_slice(const TimelineInput& input, trace::SliceRef slice);

/// The busy share of a range of time for a row's label, 0…1: of devices their mean utilisation, of a track what its
/// slices cover. Nothing for rows that have none. `range` (the visible one) is clipped to the profile's span.
[[nodiscard]] std::optional<double> visible_share(const trace::Profile& profile, const Row& row, Interval range);

}  // namespace warpscope::scene
