#include "core/analysis/ranks/collective_arrivals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

std::vector<CollectiveArrival> arrivals_of(const JobCollectives& matches, const JobCollective& collective,
                                           const CollectiveTiming& timing) {
  const auto members = matches.members_of(collective);
  const Ns second_last = timing.last_start - timing.marginal;
  std::vector<CollectiveArrival> arrivals;
  arrivals.reserve(members.size());
  for (const std::uint32_t m : timing.order) {
    const CommunicationEvent& event = matches.event(members[m]);
    const Ns waited = std::clamp<Ns>(timing.wait_of(m), 0, event.time.length());
    arrivals.push_back({.event = members[m],
                        .rank = event.rank,
                        .time = timing.times[m],
                        .wait = timing.wait_of(m),
                        .transfer = event.time.length() - waited,
                        .behind = saturating_difference(timing.times[m].begin, second_last),
                        .last = m == timing.last()});
  }
  return arrivals;
}

std::string arrival_sentence(const trace::Profile& profile, const RankComparison& comparison,
                             const JobCollective& collective, const CollectiveTiming& timing) {
  if (!timing.waits)
    return "Cannot determine which rank arrived last: the clocks cannot be aligned, and ranks do not leave this "
           "collective together.";
  const auto members = comparison.matches().members_of(collective);
  const auto number = [&](std::uint32_t member) {
    return profile.ranks[comparison.matches().event(members[member]).rank]->number;
  };
  const std::uint32_t before = timing.order[timing.order.size() - 2];
  std::string text = fmt::format("Rank {} arrived {} after rank {}", number(timing.last()),
                                 format_duration(timing.marginal), number(before));
  if (!comparison.symmetric(collective))
    return text + "; ranks with different roles, such as pipeline stages, wait for each other by design.";
  if (const std::uint32_t median = timing.reference(); before != median)
    text += fmt::format(" and {} after the median rank, rank {}",
                        format_duration(timing.last_start - timing.times[median].begin), number(median));
  return text + ".";
}

std::int64_t bytes_of(const CommunicationEvent& event) {
  constexpr std::int64_t kMostElements = std::numeric_limits<std::int64_t>::max() / 16;
  const std::int64_t elements = std::max(event.in_elements, event.out_elements);
  return elements < 0 || elements > kMostElements || event.element_bytes == 0 ? -1 : elements * event.element_bytes;
}

std::string label_of(const CollectiveGroup& group) {
  if (!group.point_to_point) return group.name;
  const auto number = [](std::int64_t rank) { return rank < 0 ? std::string("?") : std::to_string(rank); };
  return fmt::format("{} {}→{}", group.name, number(group.source), number(group.destination));
}

EventsBySlice::EventsBySlice(const JobEvents& job) : order_(job.events.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::sort(order_, {}, [&](std::uint32_t e) { return std::pair(job.events[e].rank, job.events[e].slice); });
}

std::optional<std::uint32_t> EventsBySlice::find(const JobEvents& job, std::uint32_t rank,
                                                 trace::SliceOrdinal slice) const {
  const auto key = [&](std::uint32_t e) { return std::pair(job.events[e].rank, job.events[e].slice); };
  const auto found = std::ranges::lower_bound(order_, std::pair(rank, slice), {}, key);
  if (found == order_.end() || key(*found) != std::pair(rank, slice)) return std::nullopt;
  return *found;
}

std::string unmatched_reason(const trace::Profile& profile, const JobCollectives& matches, std::uint32_t event) {
  if (matches.collective_of[event] != kNoIndex) return "";
  const CommunicationEvent& of = matches.event(event);
  const std::int64_t number = profile.ranks[of.rank]->number;
  if (matches.compared.size() < 2) return "Matching this kernel across ranks requires traces from several ranks.";
  if (!matches.ranks[of.rank].refused.empty())
    return fmt::format("Rank {} is excluded: {}.", number, matches.ranks[of.rank].refused);
  if (!matches.job.unreadable.empty())
    return fmt::format("Cannot read the arguments of collectives: {}.", matches.job.unreadable);
  if (of.group == kNoIndex) return "The trace does not record this kernel's process group.";
  const CollectiveGroup& group = matches.job.groups[of.group];
  if (group.size == 1) return fmt::format("Process group {} contains only rank {}.", group.name, number);
  std::vector<bool> seen(profile.ranks.size());
  for (const CommunicationEvent& other : matches.job.events)
    if (other.group == of.group) seen[other.rank] = true;
  if (std::ranges::count(seen, true) < 2) {
    const std::string size =
        group.size > 0 ? fmt::format(" ({})", counted(static_cast<std::uint64_t>(group.size), "rank", "ranks")) : "";
    return group.recorded
               ? fmt::format("No other rank in process group {}{} is loaded.", group.name, size)
               : fmt::format("The trace does not record process groups, and no other rank communicates on {}.",
                             group.name);
  }
  return "No other rank has a matching kernel: other ranks were not recorded at that time or ran different kernels.";
}

}  // namespace warpscope::analysis
