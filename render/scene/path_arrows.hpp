#pragma once
// The links of a critical path as arrows, given where rows are. Zoomed out there are thousands of them on a few pixels:
// then each small stretch of the canvas keeps the one that takes longest between any two of its rows, and it is told
// how many there are. Below them lie bars, where it spends its time. What is kept depends on time and not on where the
// view stands, so that nothing flickers in a pan.
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
  bool flat = false;       ///< along one row
};

/// Where on a row the path spends its time: what an arrow leaves and what it leads to. A thread's stand on its first
/// row.
struct PathBar {
  double x0 = 0;
  double x1 = 0;
  double y = 0;  ///< top of the row
};

struct PathInView {
  std::vector<PathArrow> arrows;  ///< in the order of the path
  std::vector<PathBar> bars;      ///< those of one row do not touch
  std::size_t links = 0;          ///< that are in view and long enough to be arrows; some are not drawn
  [[nodiscard]] bool thinned() const { return links > arrows.size(); }
};

/// More arrows than this are no picture any more.
inline constexpr std::size_t kPathArrowLimit = 400;
/// px at 1×: stretches of this width keep one arrow between any two rows; along a row shorter ones are not drawn.
inline constexpr double kPathCellPx = 8;

/// O((links in view + segments) · log rows).
[[nodiscard]] PathInView path_in_view(const TimelineInput& input, const PathChain& chain);

/// The arrow that passes nearest to a point of the canvas, if it is nearer than `reach` px: index in `arrows`.
[[nodiscard]] std::optional<std::size_t> arrow_near(std::span<const PathArrow> arrows, Point at, double reach);
/// Middle of an arrow's curve.
[[nodiscard]] Point middle_of(const Arrow& arrow);

}  // namespace warpscope::scene
