#pragma once
// Heat maps of folded cores and GPUs. A cell summarizes many samples of several series, and a frame has hundreds of
// thousands of cells. Cells are therefore aligned to a fixed time grid and cached, so panning computes only the cells
// that come into view.
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/trace/profile.hpp"
#include "core/trace/system_metrics.hpp"
#include "render/scene/utilisation_scene.hpp"

namespace warpscope::scene {

class HeatMaps {
 public:
  /// Sets the profile and drops cached cells of any other profile.
  void use(const std::shared_ptr<const trace::Profile>& profile);
  void forget();

  /// Draws percentages for many cores or GPUs, one line each, from top to bottom. The higher the value, the stronger
  /// the `box.color`; unknown time stays empty. If there are more series than lines, each line shows the mean of
  /// several neighbors. `series` must belong to the profile in use.
  void draw(std::span<const trace::MetricSeries> series, const TimeView& view, const CurveBox& box, DrawList& out);

 private:
  /// Cells [first, first + count) of each line. A cell spans `duration` and starts at a multiple of it.
  struct Cells {
    Ns duration = 0;
    std::int64_t first = 0;
    std::size_t count = 0;
    std::size_t lines = 0;
    std::vector<std::uint8_t> shades;  // line by line
  };
  static void move_to(Cells& cells, Ns duration, std::int64_t first, std::size_t count, std::size_t lines);

  std::shared_ptr<const trace::Profile> profile_;
  std::unordered_map<const trace::MetricSeries*, Cells> maps_;
};

/// Returns which of `count` series is drawn `y` px below the top of a heat map that is `height` px high.
[[nodiscard]] std::size_t heat_line_at(std::size_t count, int height, double y);

}  // namespace warpscope::scene
