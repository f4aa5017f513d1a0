#pragma once
// Turns one lane and one view into rectangles and labels. Slices at least kOwnRectPx wide are drawn individually in the
// color of their name, with the name if it fits. Smaller slices are combined into one column per pixel. A column's
// height is the pixel's exact busy share, and its color is that of the dominant family (see bucket_walk.hpp). Even a
// single short slice fills a visible part of one pixel. Slices that are not in memory (trace::ResidentOnly) are drawn
// from the sums of their blocks, as columns in a muted color.
#include <cstdint>

#include "core/trace/lane.hpp"
#include "render/scene/draw_list.hpp"
#include "render/scene/palette.hpp"
#include "render/scene/slice_labels.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// Slices narrower than this are combined into columns.
inline constexpr double kOwnRectPx = 2;
/// Rectangles extend at most this far outside the canvas, so that float coordinates stay exact.
inline constexpr double kBleedPx = 8;

/// Opacity of slices that are not in memory.
inline constexpr double kAbsent = 0.4;

/// Position and style of a lane on the canvas.
struct LaneBox {
  int y = 0;       ///< px, top of the area that slices fill
  int height = 0;  ///< px, 1…255
  const Palette* palette = nullptr;
  const StringTable* names = nullptr;
  SliceLabels* slice_labels = nullptr;  ///< nullptr: names are drawn in full
  double alpha = 1;                     ///< kDimmed while a filter is active
  float scale = 1;                      ///< display scale: thickness of marks
  float label_min_px = 24;              ///< minimum width of a rectangle with a name (about three characters)
  float label_padding_px = 4;
  bool labels = true;
  FamilySet hidden = 0;  ///< families that are not drawn
};

/// Appends the visible slices of `lane`. `tree` and `indices` select the slices: lane.tree() and nullptr for all
/// slices, or those of a highlight for its matches (indices[i] is the lane index of the tree's i-th slice).
void draw_lane(const trace::Lane& lane, const trace::IntervalTree& tree, const std::uint32_t* indices,
               const TimeView& view, const LaneBox& box, DrawList& out);

inline void draw_lane(const trace::Lane& lane, const TimeView& view, const LaneBox& box, DrawList& out) {
  draw_lane(lane, lane.tree(), nullptr, view, box, out);
}

}  // namespace warpscope::scene
