#include "core/analysis/causes/special_calls.hpp"

#include <algorithm>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/intervals.hpp"

namespace warpscope::analysis {

namespace {

bool is_special(HostWork kind) {
  return kind == HostWork::data_loader || kind == HostWork::compilation || kind == HostWork::allocation ||
         kind == HostWork::wait;
}

}  // namespace

SpecialCalls::SpecialCalls(const trace::Profile& profile, std::uint32_t rank_index, const HostWorkNames& names,
                           const CancelToken* cancel) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const RoleOfCategory roles = roles_of_categories(profile);
  for (const trace::Track& track : rank.tracks) {
    if (track.kind == trace::TrackKind::stream) continue;
    for (const std::uint32_t l : recorded_lanes(rank, track)) {
      if (cancelled(cancel)) return;
      const trace::Lane& lane = rank.lanes[l];
      for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval time) {
        const trace::Role role = roles[lane.category(i)];
        const NameId name = lane.name(i);
        const auto add = [&](HostWork kind) {
          of_kind_[static_cast<std::size_t>(kind)].push_back({rank.lane_start[l] + i, name, time});
        };
        if (role == trace::Role::overhead) return add(HostWork::profiler);
        if (role != trace::Role::op && role != trace::Role::annotation && role != trace::Role::launch) return;
        if (const HostWork kind = names.of(name, role); is_special(kind)) add(kind);
      });
    }
  }
  for (auto& calls : of_kind_)
    std::ranges::stable_sort(calls, {}, [](const NamedCall& call) { return call.time.begin; });
}

std::vector<Interval> times_of(const std::vector<NamedCall>& calls) {
  std::vector<Interval> times;
  times.reserve(calls.size());
  for (const NamedCall& call : calls) times.push_back(call.time);
  return joined(std::move(times));
}

}  // namespace warpscope::analysis
