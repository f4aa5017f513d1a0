#pragma once
// The strip over everything: the whole span, one strip a node with its utilisation per pixel, marks of the steps and of
// what a search found, and the view as a window to grab. Made once per profile and width, not per frame.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/trace/profile.hpp"
#include "render/scene/draw_list.hpp"
#include "render/scene/highlight.hpp"
#include "render/scene/palette.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

struct OverviewStrip {
  std::uint32_t node = 0;  ///< into Profile::nodes
  int y = 0;               ///< px within the overview
  int height = 0;
  std::vector<double> shares;  ///< mean utilisation of the node's devices per px
};

struct Overview {
  TimeView view;  ///< the whole span on the strip's width: for mapping pointer to time
  std::vector<OverviewStrip>
      strips;                      ///< several nodes share a strip if there are more than fit (mean; the first's index)
  std::vector<float> steps;        ///< px of step begins; empty if closer than 4 px
  std::vector<std::uint8_t> hits;  ///< per px: whether a found slice lies there
};

[[nodiscard]] Overview make_overview(const trace::Profile& profile, double width, int height, float scale = 1);
/// Marks what a search found; nullptr: none. O(lanes with hits · px · log hits).
void mark_hits(Overview& overview, const Highlight* highlight);
/// Strips, step marks and hit marks, as rectangles within the overview's box at (0, y).
void draw_overview(const Overview& overview, Theme theme, int y, int height, float scale, DrawList& out);

/// Keeps an overview while profile, size and highlight stay the same.
class OverviewScene {
 public:
  const Overview& update(std::shared_ptr<const trace::Profile> profile, double width, int height, float scale,
                         std::shared_ptr<const Highlight> highlight);
  /// Lets go of what was shown last.
  void forget() { *this = {}; }

 private:
  std::shared_ptr<const trace::Profile> profile_;
  std::shared_ptr<const Highlight> highlight_;
  double width_ = 0;
  int height_ = 0;
  float scale_ = 0;
  Overview overview_;
};

}  // namespace warpscope::scene
