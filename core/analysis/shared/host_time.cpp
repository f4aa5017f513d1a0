#include "core/analysis/shared/host_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/intervals.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

constexpr RoleSet kBusyRoles = role_set(trace::Role::op, trace::Role::launch);

std::vector<HostThread> threads_of(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks,
                                   const CancelToken* cancel) {
  const RoleOfCategory roles = roles_of_categories(profile);
  std::vector<HostThread> threads;
  for (const std::uint32_t r : ranks) {
    const trace::Rank& rank = *profile.ranks[r];
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
      const trace::Track& track = rank.tracks[t];
      if (track.kind != trace::TrackKind::thread || track.launches == 0) continue;
      std::vector<Interval> covered;
      for (const std::uint32_t l : recorded_lanes(rank, track)) {
        if (cancelled(cancel)) return threads;
        const trace::Lane& lane = rank.lanes[l];
        for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval slice) {
          if ((kBusyRoles & role_set(roles[lane.category(i)])) != 0) covered.push_back(slice);
        });
        covered = joined(std::move(covered));
      }
      threads.push_back({r, t, trace::merged_intervals(covered)});
    }
  }
  return threads;
}

}  // namespace

std::shared_ptr<const std::vector<HostThread>> launching_threads(const trace::Profile& profile, const Scope& scope,
                                                                 const CancelToken* cancel, SharedResults* shared) {
  const std::vector<std::uint32_t> ranks = ranks_in(profile, scope);
  return get_shared(
      shared, fmt::format("of {}", fmt::join(ranks, " ")), cancel, [&] { return threads_of(profile, ranks, cancel); },
      [](const std::vector<HostThread>& threads) {
        std::size_t bytes = 0;
        for (const HostThread& thread : threads) bytes += sizeof(HostThread) + thread.busy.whole_bytes();
        return bytes;
      });
}

std::string host_time_note(std::size_t threads) {
  if (threads == 0)
    return "No host thread launched GPU work in this selection, and there are no CPU samples. For CPU utilization, put "
           "SageMaker Debugger's system metrics next to the traces.";
  return fmt::format(
      "Percentage of time that the {} launching {} spent in operators and runtime calls, including waits. This is not "
      "CPU utilization; for that, put SageMaker Debugger's system metrics next to the traces.",
      format_count(static_cast<std::int64_t>(threads)), threads == 1 ? "thread" : "threads");
}

}  // namespace warpscope::analysis
