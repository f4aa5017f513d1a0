#include "core/trace/busy_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/trace/rank.hpp"

namespace warpscope::trace {

namespace {

constexpr double kFull = 255;

/// Time by part of a span.
class Parts {
 public:
  explicit Parts(Interval span) : span_(span), per_ns_(static_cast<double>(BusyCurve::kParts) / length()) {}

  [[nodiscard]] double length() const { return static_cast<double>(std::max<Ns>(1, span_.length())); }
  void add(Ns begin, Ns end) {
    begin = std::max(begin, span_.begin);
    end = std::min(end, span_.end);
    if (end <= begin) return;
    const double from = static_cast<double>(begin - span_.begin) * per_ns_;
    const double to = static_cast<double>(end - span_.begin) * per_ns_;
    const auto first = std::min(static_cast<std::size_t>(from), BusyCurve::kParts - 1);
    const auto last = std::min(static_cast<std::size_t>(to), BusyCurve::kParts - 1);
    if (first == last) {
      shares[first] += to - from;
      return;
    }
    shares[first] += static_cast<double>(first + 1) - from;
    for (std::size_t part = first + 1; part < last; ++part) shares[part] += 1;
    shares[last] += to - static_cast<double>(last);
  }

  std::vector<double> shares = std::vector<double>(BusyCurve::kParts);

 private:
  Interval span_;
  double per_ns_;
};

}  // namespace

std::vector<std::uint32_t> outermost_lanes(const Rank& rank, const Track& track) {
  std::vector<std::uint32_t> lanes;
  bool nested = false;
  for (std::uint32_t lane = track.first_lane; lane < track.first_lane + track.lane_count; ++lane) {
    const LaneKind kind = rank.lanes[lane].kind();
    if (kind == LaneKind::nested && !nested) {
      nested = true;
      lanes.push_back(lane);
    } else if (kind == LaneKind::overflow || kind == LaneKind::folded) {
      lanes.push_back(lane);
    }
  }
  if (lanes.empty() && track.lane_count > 0) lanes.push_back(track.first_lane);
  return lanes;
}

BusyCurve busy_curve_of(const Rank& rank) {
  BusyCurve curve;
  if (rank.devices.empty() || rank.span.empty()) return curve;
  Parts busy(rank.span);
  Parts computation(rank.span);
  Parts communication(rank.span);
  Parts memory(rank.span);
  for (const Device& device : rank.devices) {
    const TimeColumn& time = device.busy.get().time();
    curve.busy = saturating_add(curve.busy, device.busy.get().busy_before_block(time.blocks()));
    for (std::uint32_t i = 0; i < time.size(); ++i) busy.add(time.begin(i), time.end(i));
  }
  for (const Track& track : rank.tracks) {
    if (track.kind != TrackKind::stream) continue;
    for (const std::uint32_t l : outermost_lanes(rank, track)) {
      const IntervalTree& tree = rank.lanes[l].tree();
      for (std::uint32_t i = 0; i < tree.size(); ++i) {
        const Family family = tree.family(i);
        Parts* const of = family == Family::computation     ? &computation
                          : family == Family::communication ? &communication
                          : family == Family::memory        ? &memory
                                                            : nullptr;
        if (of != nullptr) of->add(tree.time().begin(i), tree.time().end(i));
      }
    }
  }
  const auto devices = static_cast<double>(rank.devices.size());
  for (std::size_t part = 0; part < BusyCurve::kParts; ++part) {
    double left = std::min(busy.shares[part] / devices, 1.0);
    // Computation takes the rest, so the sum is the rounded busy share.
    const int all = static_cast<int>(std::lround(left * kFull));
    std::array<double, 3> shares{};
    std::size_t next = 0;
    for (const Parts* of : {&computation, &communication, &memory}) {
      shares[next] = std::clamp(of->shares[part] / devices, 0.0, std::max(left, 0.0));
      left -= shares[next++];
    }
    const int of_memory = std::min(all, static_cast<int>(std::lround(shares[2] * kFull)));
    const int of_communication = std::min(all - of_memory, static_cast<int>(std::lround(shares[1] * kFull)));
    curve.memory.push_back(static_cast<std::uint8_t>(of_memory));
    curve.communication.push_back(static_cast<std::uint8_t>(of_communication));
    curve.computation.push_back(static_cast<std::uint8_t>(all - of_memory - of_communication));
  }
  return curve;
}

}  // namespace warpscope::trace
