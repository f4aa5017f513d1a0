#include "core/analysis/ranks/job_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "core/analysis/ranks/group_matching.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::uint64_t kLeastMatched = 3;
constexpr double kLeastMatchedShare = 0.5;

/// Fills JobCollectives from the clusters of its groups.
class JobMatcher {
 public:
  JobMatcher(const AnalysisInput& input, JobCollectives& result) : input_(input), result_(result) {}

  void match() {
    refuse_duplicates();
    std::vector<std::vector<std::uint32_t>> events(result_.job.groups.size());
    for (std::uint32_t e = 0; e < result_.job.events.size(); ++e) {
      const CommunicationEvent& event = result_.job.events[e];
      RankMatch& rank = result_.ranks[event.rank];
      ++rank.events;
      if (event.group != kNoIndex && rank.refused.empty()) events[event.group].push_back(e);
    }
    for (std::uint32_t g = 0; g < events.size() && !cancelled(input_.cancel); ++g) match_group(g, std::move(events[g]));
    refuse_mismatched();
    sort();
  }

 private:
  void refuse_duplicates() {
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> seen;  // recording and number
    std::set<std::uint32_t> recordings;
    for (const std::uint32_t r : result_.compared) {
      const std::uint32_t first = result_.job.first[r];
      if (first == result_.job.first[r + 1]) continue;
      const std::uint32_t group = result_.job.events[first].group;
      const std::uint32_t recording = group == kNoIndex ? 0 : result_.job.groups[group].recording;
      const std::int64_t number = input_.profile.ranks[r]->number;
      if (!seen.try_emplace({recording, number}, r).second)
        result_.ranks[r].refused = fmt::format("another file also contains rank {}", number);
    }
  }

  void match_group(std::uint32_t group, std::vector<std::uint32_t> events) {
    const bool alone = std::ranges::all_of(
        events, [&](std::uint32_t e) { return result_.event(e).rank == result_.event(events.front()).rank; });
    if (alone) {
      for (const std::uint32_t e : events) ++result_.ranks[result_.event(e).rank].alone;
      return;
    }
    GroupMatches matches = match_group_events(input_.profile, result_.job, group, std::move(events));
    for (const auto& [rank, reason] : matches.ambiguous) ambiguous_.try_emplace(rank, reason);
    for (std::vector<std::uint32_t>& cluster : matches.clusters) {
      if (cluster.size() < 2) continue;
      std::ranges::sort(cluster, {}, [&](std::uint32_t e) { return result_.event(e).rank; });
      result_.collectives.push_back({.first = static_cast<std::uint32_t>(result_.members.size()),
                                     .count = static_cast<std::uint32_t>(cluster.size()),
                                     .group = group,
                                     .signature = result_.event(cluster.front()).signature,
                                     .by = matches.by});
      for (const std::uint32_t e : cluster) {
        ++result_.ranks[result_.event(e).rank].matched;
        if (matches.by == MatchedBy::ends || matches.by == MatchedBy::streams) uncertain_.insert(result_.event(e).rank);
      }
      result_.members.insert(result_.members.end(), cluster.begin(), cluster.end());
    }
  }

  void refuse_mismatched() {
    if (result_.compared.size() < 2) return;
    for (const std::uint32_t r : result_.compared) {
      RankMatch& rank = result_.ranks[r];
      const std::uint64_t unknown = result_.job.unknown_group[r];
      if (!rank.refused.empty() || rank.events == 0) continue;
      const std::uint64_t able = rank.events - rank.alone;
      std::string reason;
      if (const auto found = ambiguous_.find(r); found != ambiguous_.end()) {
        reason = found->second;
      } else if (unknown == rank.events) {
        reason = "its trace does not record process groups, but others do";
      } else if (able > unknown && rank.matched == 0) {
        reason = "none of its collectives match those of other ranks";
      } else if (uncertain_.contains(r) &&
                 (rank.matched < kLeastMatched ||
                  static_cast<double>(rank.matched) < kLeastMatchedShare * static_cast<double>(able))) {
        reason = fmt::format("only {} of its {} collectives match those of other ranks, too few to be certain",
                             rank.matched, able);
      }
      rank.refused = std::move(reason);
    }
  }

  void sort() {
    std::vector<std::pair<Interval, std::uint32_t>> order;
    for (std::uint32_t c = 0; c < result_.collectives.size(); ++c) {
      Interval last = result_.event(result_.members_of(result_.collectives[c]).front()).time;
      for (const std::uint32_t e : result_.members_of(result_.collectives[c])) {
        last.begin = std::max(last.begin, result_.event(e).time.begin);
        last.end = std::max(last.end, result_.event(e).time.end);
      }
      order.emplace_back(last, c);
    }
    std::ranges::sort(order, {},
                      [](const auto& each) { return std::tuple(each.first.begin, each.first.end, each.second); });
    std::vector<JobCollective> sorted;
    std::vector<std::uint32_t> members;
    sorted.reserve(order.size());
    members.reserve(result_.members.size());
    for (const auto& [time, c] : order) {
      JobCollective collective = result_.collectives[c];
      const auto own = result_.members_of(collective);
      collective.first = static_cast<std::uint32_t>(members.size());
      members.insert(members.end(), own.begin(), own.end());
      sorted.push_back(collective);
    }
    result_.collectives = std::move(sorted);
    result_.members = std::move(members);
    result_.drop_refused();
  }

  const AnalysisInput& input_;
  JobCollectives& result_;
  std::set<std::uint32_t> uncertain_;               // ranks matched by their ends
  std::map<std::uint32_t, std::string> ambiguous_;  // rank → reason
};

}  // namespace

void JobCollectives::drop_refused() {
  std::vector<JobCollective> kept;
  std::vector<std::uint32_t> left;
  for (const JobCollective& collective : collectives) {
    JobCollective fewer = collective;
    fewer.first = static_cast<std::uint32_t>(left.size());
    for (const std::uint32_t e : members_of(collective))
      if (ranks[event(e).rank].refused.empty()) left.push_back(e);
    fewer.count = static_cast<std::uint32_t>(left.size()) - fewer.first;
    if (fewer.count > 1)
      kept.push_back(fewer);
    else
      left.resize(fewer.first);
  }
  collectives = std::move(kept);
  members = std::move(left);
  std::ranges::fill(collective_of, kNoIndex);
  by = {};
  for (RankMatch& rank : ranks) rank.matched = 0;
  for (std::uint32_t c = 0; c < collectives.size(); ++c) {
    ++by[static_cast<std::size_t>(collectives[c].by)];
    for (const std::uint32_t e : members_of(collectives[c])) {
      collective_of[e] = c;
      ++ranks[event(e).rank].matched;
    }
  }
}

std::size_t JobCollectives::bytes() const {
  return job.events.capacity() * sizeof(CommunicationEvent) + collectives.capacity() * sizeof(JobCollective) +
         (members.capacity() + collective_of.capacity()) * sizeof(std::uint32_t);
}

JobCollectives match_job(const AnalysisInput& input, const GpuRows& rows) {
  JobCollectives result;
  result.job = job_events(input, rows);
  result.compared = rows.ranks();
  result.ranks.resize(input.profile.ranks.size());
  result.collective_of.assign(result.job.events.size(), kNoIndex);
  // Without arguments, a kernel can belong to any group.
  if (!result.job.unreadable.empty() && !result.job.groups_recorded) return result;
  JobMatcher(input, result).match();
  return result;
}

}  // namespace warpscope::analysis
