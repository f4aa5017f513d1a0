#include "core/rules/kineto/named_calls.hpp"

#include <algorithm>

#include "core/analysis/request/runs.hpp"
#include "core/rules/facts.hpp"

namespace warpscope::rules {

std::vector<NamedCall> named_calls(const Facts& facts, std::uint32_t rank_index,
                                   const std::function<bool(std::string_view)>& counts) {
  const StringTable& names = facts.profile().names();
  std::vector<bool> counted(names.size());
  bool any = false;
  for (NameId id = 0; id < counted.size(); ++id) {
    counted[id] = counts(names.view(id));
    any = any || counted[id];
  }
  std::vector<NamedCall> calls;
  if (!any) return calls;
  const trace::Rank& rank = *facts.profile().ranks[rank_index];
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread) continue;
    for (const std::uint32_t l : analysis::recorded_lanes(rank, track)) {
      if (facts.cancelled()) return calls;
      const trace::Lane& lane = rank.lanes[l];
      analysis::for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval time) {
        if (counted[lane.name(i)]) calls.push_back({rank.lane_start[l] + i, lane.name(i), time});
      });
    }
  }
  std::ranges::stable_sort(calls, {}, [](const NamedCall& call) { return call.time.begin; });
  return calls;
}

}  // namespace warpscope::rules
