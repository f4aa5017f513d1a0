#pragma once
// Geometry of collective ribbons on the canvas. A quad between the kernels of neighboring rows joins the arrivals to
// the common end; within each kernel, the wait for the last rank is marked. The geometry is computed without a window,
// and the overlay draws it unchanged.
//
// Ribbons narrower than 3 px show only their envelope, from the first to the last arrival, and only if it is at least
// one pixel wide. At most 500 ribbons are drawn, longest first. For a collective of more than 64 ranks, only four are
// shown: the first, median and last to arrive, and the selected one.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "render/scene/arrows.hpp"
#include "render/scene/ribbon_set.hpp"
#include "render/scene/timeline_scene.hpp"

namespace warpscope::scene {

inline constexpr std::size_t kRibbonLimit = 500;
inline constexpr std::uint32_t kRibbonRanks = 64;
inline constexpr double kEnvelopePx = 3;  ///< at 1×

/// A quad between two rows, in canvas px; may extend beyond the canvas.
struct RibbonQuad {
  Point upper_start;
  Point upper_end;
  Point lower_start;
  Point lower_end;
  float upper = 0;  ///< lateness, 0 … 1
  float lower = 0;
  bool chosen = false;
  bool envelope = false;
  /// Both rows are folded ranks. Arrivals are then drawn on top of the ranks' curves, which would otherwise hide them.
  bool folded = false;
};

/// The wait of a kernel that is drawn as an individual slice.
struct RibbonWait {
  Box box;
  bool chosen = false;
};

/// Marks where the last rank arrived.
struct RibbonTick {
  double x = 0;
  double y0 = 0;
  double y1 = 0;
  bool chosen = false;
};

struct RibbonsInView {
  std::vector<RibbonQuad> quads;
  std::vector<RibbonWait> waits;
  std::vector<RibbonTick> ticks;
  std::size_t ribbons = 0;    ///< drawn in full
  std::size_t envelopes = 0;  ///< drawn as envelopes

  [[nodiscard]] bool empty() const { return quads.empty() && waits.empty() && ticks.empty(); }
};

struct RibbonChoice {
  std::uint32_t id = Ribbon::kNone;  ///< of the selected collective
  std::uint32_t rank = 0;            ///< index: of the selected kernel

  friend bool operator==(const RibbonChoice&, const RibbonChoice&) = default;
};

/// Returns the ribbons in view. O(kRibbonLimit · (log n + runs drawn)).
[[nodiscard]] RibbonsInView ribbons_in_view(const TimelineInput& input, const RibbonSet& set,
                                            const std::optional<RibbonChoice>& choice);

/// A kernel of the selected collective on another rank.
struct Counterpart {
  Box box;
  bool exact = false;  ///< true: the slice itself; false: its time on the row of a folded ancestor
};

/// Returns the kernels of the selected collective on other ranks that are on the canvas; those on the row of a folded
/// node are combined. O(runs of the collective).
[[nodiscard]] std::vector<Counterpart> counterparts_in_view(const TimelineInput& input, const RibbonSet& set,
                                                            const RibbonChoice& choice);

/// Returns a color between blue (0: early) and red (1: late).
[[nodiscard]] Color lateness_color(double lateness, Theme theme);

}  // namespace warpscope::scene
