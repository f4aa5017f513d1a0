#pragma once
// Geometry of arrows: curves from a launch to its GPU activity, computed from row positions. If an endpoint's row is
// folded, the endpoint is drawn on the nearest ancestor's row. An endpoint outside the canvas is clamped to the canvas
// edge.
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

/// Placement of an arrow's endpoint.
enum class ArrowEnd : std::uint8_t {
  exact,     ///< on the slice
  ancestor,  ///< on the row of a folded ancestor, at the slice's time
  edge,      ///< clamped to the canvas: the slice is out of view
};

/// A cubic Bézier from a launch to its GPU activity, or between other dependent slices, in canvas px. The head is at
/// `to`.
struct Arrow {
  trace::SliceRef launch;
  trace::SliceRef run;
  Point from;
  Point control1;
  Point control2;
  Point to;
  ArrowEnd from_end = ArrowEnd::exact;
  ArrowEnd to_end = ArrowEnd::exact;
  Point direction;  ///< unit vector of the curve at `to`: direction of the head
};

/// Start or end of an arrow: a slice of a rank and a time within the slice.
struct ArrowPlace {
  trace::SliceOrdinal slice = 0;
  std::uint32_t lane = 0;
  Ns time = 0;  ///< ns, absolute
};

/// Maximum number of arrows drawn for all launches in view; more would be illegible and slow.
inline constexpr std::uint32_t kArrowLimit = 500;

/// Returns the arrow between slices of two ranks (given by index). Returns nullopt if either slice has no row (hidden,
/// filtered) or both ends are outside the canvas on the same side.
[[nodiscard]] std::optional<Arrow> make_arrow(const TimelineInput& input, std::uint32_t from_rank,
                                              const ArrowPlace& from, std::uint32_t to_rank, const ArrowPlace& to);
/// Returns the arrow of a connection within a rank (given by index). Also returns nullopt if the times are not in
/// memory.
[[nodiscard]] std::optional<Arrow> make_arrow(const TimelineInput& input, std::uint32_t rank,
                                              const trace::Connection& connection);
/// Returns the arrows of a slice: from its launch, from and to the nodes of its CUDA graph that depend on each other,
/// and to the GPU activity that it launched (at most kArrowLimit).
[[nodiscard]] std::vector<Arrow> arrows_of(const TimelineInput& input, trace::SliceRef slice);

/// Arrows of all launches in view on visible rows. If there are more than kArrowLimit, `too_many` is set and the list
/// is empty.
struct ArrowsInView {
  std::vector<Arrow> arrows;
  bool too_many = false;
};
[[nodiscard]] ArrowsInView arrows_in_view(const TimelineInput& input);

}  // namespace warpscope::scene
