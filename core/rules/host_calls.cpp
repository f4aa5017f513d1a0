#include "core/rules/host_calls.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/analysis/request/runs.hpp"
#include "core/rules/gpu_window.hpp"

namespace warpscope::rules {

namespace {

std::optional<HostCallKind> kind_of(analysis::HostWork work) {
  switch (work) {
    case analysis::HostWork::data_loader:
      return HostCallKind::data_loader;
    case analysis::HostWork::compilation:
      return HostCallKind::compilation;
    case analysis::HostWork::allocation:
      return HostCallKind::allocation;
    case analysis::HostWork::wait:
      return HostCallKind::wait;
    default:
      return std::nullopt;
  }
}

}  // namespace

HostCalls host_calls(const trace::Profile& profile, std::uint32_t rank_index, const analysis::HostWorkNames& names,
                     const CancelToken* cancel) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const analysis::RoleOfCategory roles = analysis::roles_of_categories(profile);
  HostCalls found;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind == trace::TrackKind::stream) continue;
    for (const std::uint32_t l : analysis::recorded_lanes(rank, track)) {
      if (analysis::cancelled(cancel)) return found;
      const trace::Lane& lane = rank.lanes[l];
      analysis::for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval time) {
        const trace::Role role = roles[lane.category(i)];
        const NameId name = lane.name(i);
        const auto add = [&](HostCallKind kind) {
          found.of_kind[static_cast<std::size_t>(kind)].push_back({rank.lane_start[l] + i, name, time});
        };
        if (role == trace::Role::overhead) return add(HostCallKind::overhead);
        if (role != trace::Role::op && role != trace::Role::annotation && role != trace::Role::launch) return;
        if (const auto kind = kind_of(names.of(name, role))) add(*kind);
      });
    }
  }
  for (auto& calls : found.of_kind)
    std::ranges::stable_sort(calls, {}, [](const HostCall& call) { return call.time.begin; });
  return found;
}

std::vector<Interval> times_of(const std::vector<HostCall>& calls) {
  std::vector<Interval> times;
  times.reserve(calls.size());
  for (const HostCall& call : calls) times.push_back(call.time);
  return joined(std::move(times));
}

}  // namespace warpscope::rules
