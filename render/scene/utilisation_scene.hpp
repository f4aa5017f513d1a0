#pragma once
// Filled curves: the busy share of a device, the mean over several ("SUM utilization" of a node), and counters. Shares
// are exact per pixel, from the union of the device's runs; nothing is sampled.
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/counter.hpp"
#include "core/trace/interval_tree.hpp"
#include "core/trace/system_metrics.hpp"
#include "render/scene/draw_list.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// Where a curve goes.
struct CurveBox {
  int y = 0;       ///< px
  int height = 0;  ///< px, 1…255
  Color color = 0;
  float scale = 1;
};

/// Adds `weight` times the busy share of each pixel column [i, i + 1) of the view to shares[i]; shares.size() is the
/// canvas' width in px. O(px · log n).
void add_busy_shares(const trace::IntervalTree& busy, const TimeView& view, double weight, std::span<double> shares);

/// When a device was busy, as far as its trace goes.
struct DeviceBusy {
  const trace::IntervalTree* busy = nullptr;
  Ns until = std::numeric_limits<Ns>::max();  ///< what comes behind is unknown, not idle
};

/// Of the devices that the utilisation row of an entry is the mean of. O(diagnostics + devices).
[[nodiscard]] std::vector<DeviceBusy> busy_of_entry(const trace::Profile& profile, std::uint32_t entry);

/// The mean busy share of each pixel over those of `devices` that are known there; zeros if there are none.
[[nodiscard]] std::vector<double> mean_busy_shares(std::span<const DeviceBusy> devices, const TimeView& view);
/// The mean busy share of a range, 0…1, of the time that is known of `devices`; nullopt if none is.
[[nodiscard]] std::optional<double> busy_share(std::span<const DeviceBusy> devices, Interval range);

/// Shares (0…1) as a filled curve; equal neighbours become one rectangle.
void draw_shares(std::span<const double> shares, const CurveBox& box, DrawList& out);

/// A counter per pixel: the mean filled, what lies between least and greatest lighter over it. The box' height spans
/// 0 (or the counter's minimum if negative) to its maximum, of percentages to 100. Nothing is drawn where nothing is
/// known.
void draw_counter(const trace::Counter& counter, const TimeView& view, const CurveBox& box, DrawList& out);
/// Percentages of many cores or GPUs as a heat map: a line for each from top to bottom, in `box.color` the stronger the
/// higher; where there are more than lines, a line is the mean of neighbours.
void draw_heat(std::span<const trace::MetricSeries> series, const TimeView& view, const CurveBox& box, DrawList& out);
/// The one of `count` series whose line is `y` px below the top of a heat map of this height.
[[nodiscard]] std::size_t heat_line_at(std::size_t count, int height, double y);
/// What holds under the pixel at `px`: for a tooltip. `any` is false where nothing was sampled yet.
[[nodiscard]] trace::Counter::Summary counter_at(const trace::Counter& counter, const TimeView& view, double px);

}  // namespace warpscope::scene
