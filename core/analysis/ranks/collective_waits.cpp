#include "core/analysis/ranks/collective_waits.hpp"

#include <algorithm>

namespace warpscope::analysis {

namespace {

std::uint64_t key_of(std::uint32_t rank, trace::SliceOrdinal kernel) {
  return (static_cast<std::uint64_t>(rank) << 32U) | kernel;
}

}  // namespace

CollectiveWaits::CollectiveWaits(const RankComparison& comparison, ClockChoice choice) {
  const JobCollectives& job = comparison.matches();
  for (const JobCollective& collective : job.collectives) {
    const CollectiveTiming timing = comparison.timing(collective, choice);
    if (!timing.waits) continue;
    const auto members = job.members_of(collective);
    for (std::uint32_t m = 0; m < members.size(); ++m) {
      const CommunicationEvent& event = job.event(members[m]);
      waits_[key_of(event.rank, event.slice)] = std::clamp<Ns>(timing.wait_of(m), 0, event.time.length());
    }
  }
}

Interval CollectiveWaits::wait_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const {
  const auto found = waits_.find(key_of(rank, kernel));
  return {time.begin, found == waits_.end() ? time.begin : std::min(time.begin + found->second, time.end)};
}

CollectiveWaits waits_in_job(AnalysisInput input) {
  input.scope.ranks.clear();
  return CollectiveWaits(*compare_ranks(input));
}

}  // namespace warpscope::analysis
