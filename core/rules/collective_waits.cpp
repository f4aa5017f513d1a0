#include "core/rules/collective_waits.hpp"

#include <algorithm>
#include <limits>

namespace warpscope::rules {

namespace {

std::uint64_t key_of(std::uint32_t rank, trace::SliceOrdinal kernel) {
  return (static_cast<std::uint64_t>(rank) << 32U) | kernel;
}

}  // namespace

CollectiveWaits::CollectiveWaits(const analysis::CollectiveMatches& matches, const analysis::JobCollectives& job) {
  for (const analysis::JobCollective& pair : job.collectives) {
    if (!job.group(pair).point_to_point) continue;
    Ns shortest = std::numeric_limits<Ns>::max();
    for (const std::uint32_t e : job.members_of(pair)) shortest = std::min(shortest, job.event(e).time.length());
    for (const std::uint32_t e : job.members_of(pair))
      transfers_[key_of(job.event(e).rank, job.event(e).slice)] = shortest;
  }
  for (const analysis::MatchedCollective& collective : matches.collectives) {
    Ns shortest = collective.members.front().time.length();
    for (const auto& member : collective.members) shortest = std::min(shortest, member.time.length());
    for (const auto& member : collective.members) transfers_[key_of(member.rank, member.slice)] = shortest;
  }
}

Interval CollectiveWaits::wait_of(std::uint32_t rank, trace::SliceOrdinal kernel, Interval time) const {
  const auto found = transfers_.find(key_of(rank, kernel));
  if (found == transfers_.end()) return {time.begin, time.begin};
  return {time.begin,
          std::clamp(time.end - std::max<Ns>(0, found->second), time.begin, std::max(time.begin, time.end))};
}

}  // namespace warpscope::rules
