#pragma once
// The overview strip shows the whole time span, with one strip per node (utilization per pixel), step marks, search
// matches, and the current view as a draggable window. It is built once per profile and width, not per frame.
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
  std::uint32_t node = 0;  ///< index into Profile::nodes
  int y = 0;               ///< px within the overview
  int height = 0;
  std::vector<double> shares;  ///< mean utilization of the node's devices, per px
};

struct Overview {
  TimeView view;                      ///< the whole span at the strip's width; maps the pointer to time
  std::vector<OverviewStrip> strips;  ///< if not all nodes fit, a strip is the mean of several (`node`: the first)
  std::vector<float> steps;           ///< px of step starts; empty if closer than 4 px
  std::vector<std::uint8_t> hits;     ///< per px: 1 if it has a search match
};

[[nodiscard]] Overview make_overview(const trace::Profile& profile, double width, int height, float scale = 1);
/// Marks search matches; nullptr removes the marks. O(lanes with hits · px · log hits).
void mark_hits(Overview& overview, const Highlight* highlight);
/// Draws strips, step marks and search matches as rectangles inside the overview's box at (0, y).
void draw_overview(const Overview& overview, Theme theme, int y, int height, float scale, DrawList& out);

/// Caches an overview until the profile, size or highlight changes. Does not cache it if columns were absent
/// (trace::ResidentOnly).
class OverviewScene {
 public:
  const Overview& update(std::shared_ptr<const trace::Profile> profile, double width, int height, float scale,
                         std::shared_ptr<const Highlight> highlight);
  /// Increases with each new overview.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  /// Releases the cached overview.
  void forget() {
    const std::uint64_t revision = revision_;
    *this = {};
    revision_ = revision;
  }

 private:
  std::shared_ptr<const trace::Profile> profile_;
  std::shared_ptr<const Highlight> highlight_;
  double width_ = 0;
  int height_ = 0;
  float scale_ = 0;
  bool incomplete_ = false;
  Overview overview_;
  std::uint64_t revision_ = 0;
};

}  // namespace warpscope::scene
