#pragma once
// Geometry of a critical path: arrows for its edges, computed from row positions. When zoomed out, thousands of edges
// fall into a few pixels. Each narrow strip of the canvas then keeps only the longest edge between any two rows, and
// the total number of edges is reported. Bars below the arrows show where the path spends its time. Which edges are
// kept depends on time, not on the position of the view, so nothing flickers while panning.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "render/scene/arrows.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::scene {

struct PathArrow {
  Arrow arrow;
  std::uint32_t link = 0;  ///< index in PathChain::links()
  bool flat = false;       ///< within one row
};

/// Time that the path spends on a row, between the arrows. A thread's bars are on its first row.
struct PathBar {
  double x0 = 0;
  double x1 = 0;
  double y = 0;  ///< top of the row
};

struct PathInView {
  std::vector<PathArrow> arrows;  ///< in path order
  std::vector<PathBar> bars;      ///< non-overlapping within a row
  std::size_t links = 0;          ///< edges in view that are long enough for an arrow, drawn or not
  [[nodiscard]] bool thinned() const { return links > arrows.size(); }
};

/// Maximum number of arrows drawn; more would be illegible.
inline constexpr std::size_t kPathArrowLimit = 400;
/// Width of a strip in px at 1×. Each strip keeps one arrow between any two rows; arrows within one row are drawn only
/// if they are at least this long.
inline constexpr double kPathCellPx = 8;

/// Returns the arrows and bars in view. O((links in view + segments) · log rows).
[[nodiscard]] PathInView path_in_view(const TimelineInput& input, const PathChain& chain);

/// Returns the index in `arrows` of the arrow nearest to a canvas point, if it is within `reach` px.
[[nodiscard]] std::optional<std::size_t> arrow_near(std::span<const PathArrow> arrows, Point at, double reach);
/// Returns the midpoint of an arrow's curve.
[[nodiscard]] Point middle_of(const Arrow& arrow);

}  // namespace warpscope::scene
