#include "core/analysis/shared/curve_tracks.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/shared/memory_bandwidth.hpp"
#include "core/analysis/shared/queue_lengths.hpp"

namespace warpscope::analysis {
namespace {

constexpr double kBytesPerGigabyte = 1e9;

/// Makes a counter that is 0 before the first value and after the end of the last one, when nothing is waiting or being
/// transferred.
trace::Counter counter_of(std::string name, std::string unit, const StepCurve& curve, double scale, Interval span) {
  std::vector<Ns> times;
  std::vector<float> values;
  times.reserve(curve.times.size() + 2);
  values.reserve(curve.times.size() + 2);
  const auto add = [&](Ns time, double value) {
    times.push_back(time);
    values.push_back(static_cast<float>(value));
  };
  if (span.begin < curve.times.front()) add(span.begin, 0);
  for (std::size_t i = 0; i < curve.times.size(); ++i) add(curve.times[i], curve.values[i] * scale);
  if (curve.end > times.back()) add(curve.end, 0);
  return {std::move(name), std::move(unit), std::move(times), std::move(values)};
}

std::shared_ptr<const trace::RankCurves> curves_of(const trace::Profile& profile, std::uint32_t r,
                                                   const CancelToken* cancel, const ingest::EventLookup* events) {
  const trace::Rank& rank = *profile.ranks[r];
  trace::RankCurves curves;
  for (const QueueLength& queue : queue_lengths(profile, r, cancel)) {
    if (queue.length.empty()) continue;
    curves.push_back({queue.device, counter_of("Queue of " + rank.tracks[queue.track].label, "launches", queue.length,
                                               1, profile.span)});
  }
  for (const MemoryBandwidth& moved : memory_bandwidths(profile, r, cancel, events)) {
    if (moved.rate.empty()) continue;
    curves.push_back({moved.device, counter_of(moved.kind, "GB/s", moved.rate, 1 / kBytesPerGigabyte, profile.span)});
  }
  std::ranges::stable_sort(curves, {}, &trace::RankCurve::device);
  return std::make_shared<const trace::RankCurves>(std::move(curves));
}

}  // namespace

std::shared_ptr<const trace::Profile> with_curve_tracks(const trace::Profile& profile, const CancelToken* cancel,
                                                        const ingest::EventLookup* events) {
  auto copy = std::make_shared<trace::Profile>(profile);
  copy->curves.assign(profile.ranks.size(), nullptr);
  for (std::uint32_t r = 0; r < profile.ranks.size() && !(cancel != nullptr && cancel->cancelled()); ++r)
    copy->curves[r] = curves_of(profile, r, cancel, events);
  copy->tree = trace::build_track_tree(*copy);
  return copy;
}

}  // namespace warpscope::analysis
