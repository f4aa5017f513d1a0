#include "core/analysis/ranks/late_arrivals.hpp"

#include <set>
#include <vector>

namespace warpscope::analysis {

LateArrivals late_arrivals(const RankComparison& comparison, const Scope& scope, ClockChoice clocks) {
  const JobCollectives& matches = comparison.matches();
  LateArrivals arrivals;
  std::set<std::string_view> seen;
  for (const JobCollective& collective : matches.collectives) {
    if (!comparison.in_scope(collective, scope)) continue;
    const bool counts = comparison.symmetric(collective);
    const CollectiveTiming timing = comparison.timing(collective, clocks);
    if (!counts || !timing.waits) {
      ++arrivals.excluded;
      continue;
    }
    const std::string_view step = comparison.step_of(collective);
    if (seen.insert(step).second) arrivals.steps.push_back(step);
    const auto members = matches.members_of(collective);
    std::vector<Ns> caused(members.size(), 0);
    double share = 0;
    for (std::size_t i = 1; i < timing.order.size(); ++i) {
      const Ns gap = timing.times[timing.order[i]].begin - timing.times[timing.order[i - 1]].begin;
      share += static_cast<double>(gap) * static_cast<double>(i) / static_cast<double>(timing.order.size() - i);
      caused[timing.order[i]] = static_cast<Ns>(share);
    }
    for (std::uint32_t m = 0; m < members.size(); ++m) {
      const std::uint32_t rank = matches.event(members[m]).rank;
      for (Arrivals* sum : {&arrivals.by_rank[rank], &arrivals.by_step[{step, rank}]}) {
        ++sum->collectives;
        sum->waited = saturating_add(sum->waited, timing.wait_of(m));
        sum->caused = saturating_add(sum->caused, caused[m]);
        sum->last += m == timing.last() ? 1 : 0;
      }
    }
  }
  return arrivals;
}

}  // namespace warpscope::analysis
