#pragma once
// One lane × one view → rectangles and labels. Slices of at least kOwnRectPx are drawn as themselves, in their name's
// colour, with their name where it can be read; runs of smaller ones are gathered per pixel, each a column that is
// filled from the bottom by the pixel's exact busy share in the colour of its dominant family (see bucket_walk.hpp). A
// lone short slice still fills a visible part of one pixel.
#include <cstdint>

#include "core/trace/lane.hpp"
#include "render/scene/draw_list.hpp"
#include "render/scene/palette.hpp"
#include "render/scene/slice_labels.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// Slices narrower than this go into their pixels' columns.
inline constexpr double kOwnRectPx = 2;
/// Rectangles reach at most this far beyond the canvas, so that their coordinates stay exact in floats.
inline constexpr double kBleedPx = 8;

/// Where a lane goes on the canvas, and how.
struct LaneBox {
  int y = 0;       ///< px, top of the box that the slices fill
  int height = 0;  ///< px, 1…255
  const Palette* palette = nullptr;
  const StringTable* names = nullptr;
  SliceLabels* slice_labels = nullptr;  ///< without it names are drawn whole
  double alpha = 1;                     ///< kDimmed while a filter is on
  float scale = 1;                      ///< of the display: thickness of marks
  float label_min_px = 24;              ///< narrower rectangles bear no name (about three characters)
  float label_padding_px = 4;
  bool labels = true;
  FamilySet hidden = 0;  ///< slices of these families are left out
};

/// Appends what `lane` shows in `view`. `tree` and `indices` tell which of its slices: lane.tree() and nullptr for all,
/// a highlight's for the found ones (indices[i] is the lane's index of the tree's i-th slice).
void draw_lane(const trace::Lane& lane, const trace::IntervalTree& tree, const std::uint32_t* indices,
               const TimeView& view, const LaneBox& box, DrawList& out);

inline void draw_lane(const trace::Lane& lane, const TimeView& view, const LaneBox& box, DrawList& out) {
  draw_lane(lane, lane.tree(), nullptr, view, box, out);
}

}  // namespace warpscope::scene
