#include "core/rules/host_stalls.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/rules/host_calls.hpp"

namespace warpscope::rules {

namespace {

constexpr Ns kLeastStall = 1'000'000;
constexpr std::size_t kLeastCalls = 8;
constexpr double kDeviations = 10;
constexpr double kNormal = 1.4826;     // standard deviation of a normal distribution ÷ its median absolute deviation
constexpr double kLeastSpread = 0.05;  // of the median
constexpr double kLeastDeviation = 1000;  // ns

struct SelfTime {
  trace::SliceOrdinal slice = 0;
  Ns self = 0;
};

/// Returns the median self time, and the self time above which a call is a stall.
std::pair<Ns, Ns> usual_and_limit(const std::vector<SelfTime>& calls) {
  std::vector<double> values;
  values.reserve(calls.size());
  for (const SelfTime& call : calls) values.push_back(static_cast<double>(call.self));
  const double median = analysis::upper_median(values);
  for (double& value : values) value = std::abs(value - median);
  const double spread = std::max({analysis::upper_median(values), kLeastSpread * median, kLeastDeviation});
  return {static_cast<Ns>(median), static_cast<Ns>(median + kDeviations * kNormal * spread)};
}

}  // namespace

std::vector<HostStall> host_stalls(const trace::Profile& profile, std::uint32_t rank_index,
                                   const analysis::CallTree& tree) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const analysis::RoleOfCategory roles = analysis::roles_of_categories(profile);
  std::vector<Ns> below(tree.slices());
  tree.for_each_downward([&](trace::SliceOrdinal call, trace::SliceOrdinal parent) {
    if (parent != analysis::CallTree::kNone) below[parent] = saturating_add(below[parent], rank.duration(call));
  });
  std::vector<HostStall> stalls;
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    const trace::Track& track = rank.tracks[t];
    if (track.kind != trace::TrackKind::thread) continue;
    std::map<NameId, std::vector<SelfTime>> by_name;
    for (const std::uint32_t l : analysis::recorded_lanes(rank, track)) {
      const trace::Lane& lane = rank.lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        const trace::SliceOrdinal slice = rank.lane_start[l] + i;
        const trace::Role role = roles[lane.category(i)];
        if ((role != trace::Role::op && role != trace::Role::launch) || !tree.is_call(slice)) continue;
        by_name[lane.name(i)].push_back({slice, std::max<Ns>(0, lane.time().duration(i) - below[slice])});
      }
    }
    for (auto& [name, calls] : by_name) {
      if (calls.size() < kLeastCalls || is_wait(profile.names().view(name))) continue;
      const auto longest = std::ranges::max_element(calls, {}, &SelfTime::self);
      if (longest->self < kLeastStall) continue;
      const auto [usual, limit] = usual_and_limit(calls);
      const auto first =
          std::ranges::min_element(calls, {}, [&](const SelfTime& call) { return rank.begin(call.slice); });
      for (const SelfTime& call : calls)
        if (call.slice != first->slice && call.self > std::max(kLeastStall, limit)) {
          const Ns begin = rank.begin(call.slice);
          stalls.push_back({call.slice, name, t, {begin, begin + rank.duration(call.slice)}, call.self, usual});
        }
    }
  }
  std::ranges::stable_sort(stalls, {}, [](const HostStall& stall) { return stall.time.begin; });
  return stalls;
}

}  // namespace warpscope::rules
