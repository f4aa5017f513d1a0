#pragma once
// Turns one lane and one view into rectangles and labels. Slices of at least kOwnRectPx are drawn individually in the
// color of their name, with the name if it fits. Smaller ones are combined per pixel into a column, filled from the
// bottom by the pixel's exact busy share in the color of its dominant family (see bucket_walk.hpp). A single short
// slice still fills a visible part of one pixel. Slices that are not in memory (trace::ResidentOnly) are drawn as
// columns in a muted color, from the sums of their blocks.
#include <cstdint>

#include "core/trace/lane.hpp"
#include "render/scene/draw_list.hpp"
#include "render/scene/palette.hpp"
#include "render/scene/slice_labels.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// Narrower slices are combined into columns.
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
  float label_min_px = 24;              ///< narrower rectangles get no name (about three characters)
  float label_padding_px = 4;
  bool labels = true;
  FamilySet hidden = 0;  ///< families that are not drawn
};

/// Appends the visible slices of `lane`. `tree` and `indices` select them: lane.tree() and nullptr for all slices, or a
/// highlight's for its matches (indices[i] is the lane index of the tree's i-th slice).
void draw_lane(const trace::Lane& lane, const trace::IntervalTree& tree, const std::uint32_t* indices,
               const TimeView& view, const LaneBox& box, DrawList& out);

inline void draw_lane(const trace::Lane& lane, const TimeView& view, const LaneBox& box, DrawList& out) {
  draw_lane(lane, lane.tree(), nullptr, view, box, out);
}

}  // namespace warpscope::scene
