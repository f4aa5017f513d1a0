#pragma once
// Connections as curves from launch to run, given where rows are: an end whose row is folded away sits on the nearest
// ancestor's row, an end out of the canvas is clamped to its edge.
#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace/profile.hpp"
#include "render/scene/timeline_scene.hpp"

namespace warpscope::scene {

struct Point {
  double x = 0;
  double y = 0;
};

/// How an end of an arrow relates to what it points at.
enum class ArrowEnd : std::uint8_t {
  exact,     ///< on the slice
  ancestor,  ///< on the row of a folded ancestor, at the slice's time
  edge,      ///< clamped to the canvas: the slice is out of view
};

/// A cubic Bézier from launch to run, or whatever else depends on each other, in canvas px. The head stands at `to`.
struct Arrow {
  trace::SliceRef launch;
  trace::SliceRef run;
  Point from;
  Point control1;
  Point control2;
  Point to;
  ArrowEnd from_end = ArrowEnd::exact;
  ArrowEnd to_end = ArrowEnd::exact;
  Point direction;  ///< unit vector of the curve at `to`: which way the head points
};

/// Where an arrow begins or ends: on a slice of a rank, in its time.
struct ArrowPlace {
  trace::SliceOrdinal slice = 0;
  std::uint32_t lane = 0;
  Ns time = 0;  ///< ns, absolute
};

/// Drawing the arrows of all launches in view stops being legible, and cheap, beyond this.
inline constexpr std::uint32_t kArrowLimit = 500;

/// From one slice of a rank (an index) to another, or nothing if either has no row at all (hidden, filtered) or both
/// are out of the canvas on the same side.
[[nodiscard]] std::optional<Arrow> make_arrow(const TimelineInput& input, std::uint32_t rank, const ArrowPlace& from,
                                              const ArrowPlace& to);
/// The arrow of one connection of a rank (an index) in the same way.
[[nodiscard]] std::optional<Arrow> make_arrow(const TimelineInput& input, std::uint32_t rank,
                                              const trace::Connection& connection);
/// All arrows of a slice: from its launch, or to its runs (at most kArrowLimit).
[[nodiscard]] std::vector<Arrow> arrows_of(const TimelineInput& input, trace::SliceRef slice);

/// The arrows of every launch in view on rows in view; `too_many` if there are more than kArrowLimit (then none).
struct ArrowsInView {
  std::vector<Arrow> arrows;
  bool too_many = false;
};
[[nodiscard]] ArrowsInView arrows_in_view(const TimelineInput& input);

}  // namespace warpscope::scene
