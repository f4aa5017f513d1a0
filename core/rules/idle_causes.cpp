#include "core/rules/idle_causes.hpp"

#include <algorithm>

#include "core/analysis/shared/device_time.hpp"
#include "core/analysis/shared/graph_nodes.hpp"
#include "core/rules/facts.hpp"

namespace warpscope::rules {

namespace {

constexpr Ns kShortGap = 1'000'000;

/// Extends each interval to the start of the next GPU activity.
std::vector<Interval> until_activity(const GpuWindow& gpu, const std::vector<Interval>& times) {
  std::vector<Interval> extended;
  for (const Interval& time : times)
    if (const auto next = gpu.next_activity(time.end)) extended.push_back({time.begin, *next});
  return joined(std::move(extended));
}

/// Returns the time from the return of each waiting call to the next GPU activity. The profiler's own wait at the end
/// is dropped, because no activity follows.
std::vector<Interval> after_waits(Facts& facts, const GpuWindow& gpu) {
  std::vector<Interval> times;
  for (const HostCall& call : facts.host(gpu.rank).of(HostCallKind::wait))
    times.push_back({call.time.end, call.time.end});
  return until_activity(gpu, times);
}

/// Gaps whose next activity was launched after the gap started.
struct LateLaunches {
  std::vector<Interval> brief;
  std::vector<Interval> longer;
  std::vector<Interval> unlinked;  // launch unknown
};

LateLaunches late_launches(Facts& facts, const GpuWindow& gpu, IdleCauses& causes) {
  const trace::Rank& rank = *facts.profile().ranks[gpu.rank];
  const StringTable& names = facts.profile().names();
  LateLaunches late;
  std::optional<Ns> reached;
  const auto rows = facts.rows(gpu.rank);
  PartsWalk parts(gpu.parts);
  for (const analysis::GpuRow& row : *rows) {
    if (row.device != gpu.device) continue;
    const bool inside = parts.contains(row.time.begin);
    const auto launch = facts.all_rows().launch_begin(gpu.rank, row);
    if (launch && inside) {
      ++causes.launches;
      if (reached && *launch >= *reached) ++causes.late_launches;
    }
    if (!launch && reached && row.time.begin > *reached) late.unlinked.push_back({*reached, row.time.begin});
    if (launch && reached && row.time.begin > *reached && *launch >= *reached &&
        !analysis::is_graph_launch(names.view(rank.name(*row.launch)))) {
      const Interval gap{*reached, row.time.begin};
      (gap.length() < kShortGap ? late.brief : late.longer).push_back(gap);
    }
    reached = reached ? std::max(*reached, row.time.end) : row.time.end;
  }
  return late;
}

}  // namespace

IdleCauses idle_causes(Facts& facts, const GpuWindow& gpu) {
  IdleCauses causes;
  const HostCalls& host = facts.host(gpu.rank);
  std::vector<Interval> stalls;
  for (const HostStall& stall : facts.stalls(gpu.rank)) stalls.push_back(stall.time);
  LateLaunches late = late_launches(facts, gpu, causes);
  const std::array candidates{analysis::times_of(analysis::host_nodes(facts.profile(), gpu.rank, gpu.device)),
                              times_of(host.of(HostCallKind::data_loader)),
                              until_activity(gpu, times_of(host.of(HostCallKind::compilation))),
                              until_activity(gpu, times_of(host.of(HostCallKind::allocation))),
                              after_waits(facts, gpu),
                              until_activity(gpu, joined(std::move(stalls))),
                              joined(std::move(late.brief)),
                              joined(std::move(late.longer)),
                              joined(std::move(late.unlinked)),
                              gpu.parts};
  std::vector<Interval> rest = gpu.idle;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    causes.of_cause[c] = common(rest, candidates[c]);
    rest = analysis::without(rest, causes.of_cause[c]);
  }
  return causes;
}

}  // namespace warpscope::rules
