#pragma once
// Filled curves: the utilization of a device, the mean over several devices ("SUM utilization" of a node), and
// counters. Utilization is exact per pixel, because it is computed from the union of the device's activity rather than
// sampled.
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/counter.hpp"
#include "core/trace/profile.hpp"
#include "render/scene/draw_list.hpp"
#include "render/scene/palette.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

/// Position of a curve.
struct CurveBox {
  int y = 0;       ///< px
  int height = 0;  ///< px, 1…255
  Color color = 0;
  float scale = 1;
};

/// Adds `weight` times the busy share of each pixel column [i, i + 1) of the view to shares[i]; shares.size() is the
/// canvas width in px. O(px · log n).
void add_busy_shares(const trace::IntervalTree& busy, const TimeView& view, double weight, std::span<double> shares);

/// Returns the curve that shows a rank whose rows have not been read; nullptr if they have, or if the view is too close
/// for it: one part would be wider than a few pixels.
[[nodiscard]] const trace::BusyCurve* curve_instead(const trace::Rank& rank, const TimeView& view);

/// Busy time of a device, up to the end of its trace.
struct DeviceBusy {
  const trace::IntervalTree* busy = nullptr;  ///< null: from `rank`
  Ns until = std::numeric_limits<Ns>::max();  ///< time after this is unknown, not idle
  const trace::Rank* rank = nullptr;          ///< with a curve that is shown instead
};
/// `curve`: use the curve also if the rows have been read, so the result does not depend on that.
[[nodiscard]] DeviceBusy device_busy(const trace::Rank& rank, const trace::Device& device, const TimeView& view,
                                     bool curve = false);

/// Returns the devices averaged by an entry's utilization row, for values in this view. O(diagnostics + devices).
[[nodiscard]] std::vector<DeviceBusy> busy_of_entry(const trace::Profile& profile, std::uint32_t entry,
                                                    const TimeView& view);

/// Returns the mean busy share per pixel over the `devices` whose activity is known there, or 0 if there are none.
[[nodiscard]] std::vector<double> mean_busy_shares(std::span<const DeviceBusy> devices, const TimeView& view);
/// Returns the mean busy share (0…1) of a range over the known time of `devices`; nullopt if none is known.
[[nodiscard]] std::optional<double> busy_share(std::span<const DeviceBusy> devices, Interval range);

/// Busy shares of a rank per pixel, by class. Time that overlaps computation is counted as computation, so the
/// communication class is exposed communication. The sum is the busy share of the devices.
struct ClassShares {
  std::vector<double> computation, communication, memory;
};
/// `busy`: mean busy share of the rank's devices, one value per pixel. O(streams · px · log n).
[[nodiscard]] ClassShares class_shares(const trace::Rank& rank, std::span<const double> busy, const TimeView& view);
/// Returns the mean over an entry's ranks (for example a folded node). At each time, averages only ranks that have
/// data. Computes one value for several adjacent pixels, because a frame may show many nodes. O(streams · px · log n).
[[nodiscard]] ClassShares mean_class_shares(const trace::Profile& profile, std::uint32_t entry, const TimeView& view);
/// Draws the classes as stacked areas. `hidden`: families to omit (family_bit).
void draw_class_shares(const ClassShares& shares, const CurveBox& box, const Palette& palette, FamilySet hidden,
                       DrawList& out);

/// Draws shares (0…1) as a filled curve; equal neighbors become one rectangle.
void draw_shares(std::span<const double> shares, const CurveBox& box, DrawList& out);

/// Draws a counter per pixel: the mean as a filled curve, with the range from minimum to maximum on top in a lighter
/// color. The box ranges from 0, or a negative minimum, to the maximum (for percentages, at least 100). Unknown time is
/// left empty.
void draw_counter(const trace::Counter& counter, const TimeView& view, const CurveBox& box, DrawList& out);
/// Returns the counter's summary for the pixel at `px`, for a tooltip. `any` is false before the first sample.
[[nodiscard]] trace::Counter::Summary counter_at(const trace::Counter& counter, const TimeView& view, double px);

}  // namespace warpscope::scene
