#include "core/analysis/ranks/rank_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/analysis/ranks/clock_error.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/trace/missing_ranks.hpp"
#include "core/trace/recordings.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::size_t kMostNamed = 4;

/// Collective counts by signature and group size.
using Contents = std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t>;

/// Returns a rank's collectives in a typical step. Each count is the third quartile over the steps, so truncated and
/// late recordings, missing kernels and unusual steps do not change the role. Without steps, counts are ignored.
Contents role_contents(const JobEvents& job, std::uint32_t rank) {
  std::map<std::uint32_t, Contents> steps;
  Contents usual;
  for (std::uint32_t e = job.first[rank]; e < job.first[rank + 1]; ++e) {
    const CommunicationEvent& event = job.events[e];
    if (event.group == kNoIndex) continue;
    const std::pair what(event.signature, job.groups[event.group].size);
    usual[what] = 1;
    if (event.step != kNoIndex) ++steps[event.step][what];
  }
  if (steps.empty()) return usual;
  for (auto at = usual.begin(); at != usual.end();) {
    std::vector<std::uint32_t> counts;
    for (const auto& [step, contents] : steps) {
      const auto found = contents.find(at->first);
      counts.push_back(found == contents.end() ? 0 : found->second);
    }
    const auto quartile = counts.begin() + static_cast<std::ptrdiff_t>((3 * (counts.size() - 1) + 3) / 4);
    std::ranges::nth_element(counts, quartile);
    at->second = *quartile;
    at = *quartile == 0 ? usual.erase(at) : std::next(at);
  }
  return usual;
}

/// Returns, by rank index, the number of the rank from which it first receives in a typical step; -1 if it sends first
/// or does neither.
std::vector<std::int64_t> first_senders(const trace::Profile& profile, const JobEvents& job) {
  std::vector<std::int64_t> senders(job.ranks(), -1);
  for (std::uint32_t r = 0; r < job.ranks(); ++r) {
    std::map<std::int64_t, std::size_t> counts;
    std::uint32_t step = kNoIndex;
    bool any = false;
    for (std::uint32_t e = job.first[r]; e < job.first[r + 1]; ++e) {
      const CommunicationEvent& event = job.events[e];
      if (event.group == kNoIndex || !job.groups[event.group].point_to_point) continue;
      if (std::exchange(any, true) && event.step == step) continue;
      step = event.step;
      const CollectiveGroup& group = job.groups[event.group];
      ++counts[group.source == profile.ranks[r]->number ? -1 : group.source];
    }
    const auto usual = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    if (usual != counts.end()) senders[r] = usual->first;
  }
  return senders;
}

/// Returns the pipeline stage of each rank (index): 0 for ranks that send first; for the others, one more than the
/// stage of the rank from which they first receive in a step. Stages may run the same collectives, but not at the same
/// time.
std::vector<std::uint32_t> stages_of(const trace::Profile& profile, const JobCollectives& matches) {
  const std::vector<std::int64_t> senders = first_senders(profile, matches.job);
  const trace::Recordings recordings = trace::recordings_of(profile.ranks);
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> by_number;
  for (const std::uint32_t r : matches.compared) by_number[{recordings.of_rank[r], profile.ranks[r]->number}] = r;
  std::vector<std::uint32_t> stages(senders.size(), 0);
  for (const std::uint32_t r : matches.compared) {
    std::uint32_t at = r;
    while (senders[at] >= 0 && stages[r] < matches.compared.size()) {
      ++stages[r];
      const auto from = by_number.find({recordings.of_rank[at], senders[at]});
      if (from == by_number.end()) break;
      at = from->second;
    }
    if (stages[r] >= matches.compared.size()) stages[r] = 0;  // a ring
  }
  return stages;
}

}  // namespace

ClockChoice clock_choice(const ParameterValues& values) {
  const std::string& text = values.text(kClocksParameter.name);
  if (text == "recorded") return ClockChoice::recorded;
  return text == "durations" ? ClockChoice::durations : ClockChoice::aligned;
}

RankComparison::RankComparison(const AnalysisInput& input, const GpuRows& rows)
    : profile_(input.profile), matches_(match_job(input, rows)), clocks_(fit_clocks(matches_)) {
  find_roles();
}

void RankComparison::find_roles() {
  roles_.assign(matches_.ranks.size(), 0);
  stages_ = stages_of(profile_, matches_);
  std::map<std::pair<std::uint32_t, Contents>, std::uint32_t> numbers;
  for (const std::uint32_t r : matches_.compared)
    roles_[r] =
        numbers.try_emplace(std::pair(stages_[r], role_contents(matches_.job, r)), numbers.size()).first->second;
}

std::string_view RankComparison::step_of(const JobCollective& collective) const {
  for (const std::uint32_t e : matches_.members_of(collective)) {
    const CommunicationEvent& event = matches_.event(e);
    if (event.step != kNoIndex) return profile_.names().view(profile_.ranks[event.rank]->steps[event.step].name);
  }
  return {};
}

bool RankComparison::symmetric(const JobCollective& collective) const {
  if (matches_.group(collective).point_to_point) return false;
  const auto members = matches_.members_of(collective);
  const std::uint32_t role = roles_[matches_.event(members.front()).rank];
  return std::ranges::all_of(members, [&](std::uint32_t e) { return roles_[matches_.event(e).rank] == role; });
}

CollectiveTiming RankComparison::timing(const JobCollective& collective, ClockChoice choice) const {
  const auto members = matches_.members_of(collective);
  CollectiveTiming timing;
  timing.clock = choice;
  const bool safe = clocks_.safe() && std::ranges::all_of(members, [&](std::uint32_t e) {
                      return clocks_.ranks[matches_.event(e).rank].refused.empty();
                    });
  if (choice == ClockChoice::aligned && !safe) timing.clock = ClockChoice::durations;
  timing.times.reserve(members.size());
  Ns end = std::numeric_limits<Ns>::max();
  for (const std::uint32_t e : members) {
    const CommunicationEvent& event = matches_.event(e);
    const Interval time{time_on(choice, event.rank, event.time.begin), time_on(choice, event.rank, event.time.end)};
    timing.times.push_back(time);
    end = std::min(end, time.end);
  }
  if (timing.clock == ClockChoice::durations) {
    timing.waits = leaves_together(matches_.signature(collective).kind);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const Interval& time = matches_.event(members[m]).time;
      timing.times[m] = {saturating_difference(end, time.length()), end};
    }
  }
  timing.order.resize(members.size());
  std::iota(timing.order.begin(), timing.order.end(), 0U);
  std::ranges::stable_sort(timing.order, {}, [&](std::uint32_t m) { return timing.times[m].begin; });
  timing.last_start = timing.times[timing.last()].begin;
  timing.skew = saturating_difference(timing.last_start, timing.times[timing.order.front()].begin);
  timing.marginal = saturating_difference(timing.last_start, timing.times[timing.order[timing.order.size() - 2]].begin);
  Ns last_end = timing.times.front().end;
  Ns first_end = last_end;
  for (std::uint32_t m = 0; m < members.size(); ++m) {
    timing.waited = saturating_add(timing.waited, timing.wait_of(m));
    first_end = std::min(first_end, timing.times[m].end);
    last_end = std::max(last_end, timing.times[m].end);
  }
  timing.transfer = saturating_difference(first_end, timing.last_start);
  timing.end_spread = saturating_difference(last_end, first_end);
  return timing;
}

bool RankComparison::in_scope(const JobCollective& collective, const Scope& scope) const {
  return std::ranges::any_of(matches_.members_of(collective),
                             [&](std::uint32_t e) { return in_scope(matches_.event(e), scope); });
}

bool RankComparison::in_scope(const CommunicationEvent& event, const Scope& scope) const {
  if (event.step != kNoIndex) return scope.has_step(profile_, event.rank, event.step);
  const auto range = scope.on_gpu(event.rank);
  return !range || is_within(event.time, *range);
}

std::string RankComparison::clock_note(ClockChoice choice) const {
  if (matches_.collectives.empty()) return "";
  if (choice == ClockChoice::recorded)
    return "Times are as recorded, so clock differences between ranks distort wait times. Set clocks=aligned to "
           "correct them.";
  if (choice == ClockChoice::durations)
    return "Wait times are derived from kernel durations, which need no common clock.";
  if (!clocks_.safe())
    return fmt::format("Wait times are derived from kernel durations, because the clocks cannot be aligned: {}.",
                       clocks_.refused);
  Ns most = 0;
  double error = 0;
  for (const std::uint32_t r : matches_.compared) {
    const RankClock& clock = clocks_.ranks[r];
    if (clock.collectives == 0) continue;
    most = std::max<Ns>(most, std::abs(std::llround(recorded_offset(r))));
    error = std::max(error, clock.error);
  }
  if (most < 1'000 && error < 1'000) return "The ranks' clocks agree.";
  return fmt::format("Clocks are aligned to within {} using collective end times; they were up to {} off.",
                     clock_error_text(std::llround(error)), format_duration(most));
}

std::string RankComparison::match_note() const {
  const std::vector<std::uint32_t>& compared = matches_.compared;
  const std::string unreadable =
      matches_.job.unreadable.empty()
          ? ""
          : fmt::format("Cannot read the arguments of collectives: {}.", matches_.job.unreadable);
  std::string refused;
  std::size_t count = 0;
  for (const std::uint32_t r : compared) {
    if (matches_.ranks[r].refused.empty()) continue;
    if (++count <= kMostNamed)
      refused += fmt::format("{}rank {}: {}", refused.empty() ? "" : "; ", profile_.ranks[r]->number,
                             matches_.ranks[r].refused);
  }
  if (count > kMostNamed) refused += fmt::format("; and {} more", count - kMostNamed);
  if (!refused.empty()) refused = fmt::format("Not compared: {}.", refused);
  std::string how;
  if (matches_.by[static_cast<std::size_t>(MatchedBy::streams)] > 0)
    how =
        "The traces do not record process groups, so collectives are matched by kernel end times; all groups on a "
        "stream count as one.";
  else if (matches_.by[static_cast<std::size_t>(MatchedBy::ends)] > 0)
    how = "The traces have no sequence numbers, so collectives are matched within process groups by end times.";
  std::uint64_t alone = 0;
  std::uint64_t unmatched = 0;
  std::uint64_t unknown = 0;
  for (const std::uint32_t r : compared) {
    const RankMatch& rank = matches_.ranks[r];
    alone += rank.alone;
    unknown += matches_.job.unknown_group[r];
    if (rank.refused.empty()) unmatched += rank.events - rank.alone - rank.matched - matches_.job.unknown_group[r];
  }
  std::string left;
  const auto add = [&](std::uint64_t kernels, std::string_view why) {
    if (kernels > 0 && compared.size() > 1)
      left += fmt::format("{}{} {}", left.empty() ? "Unmatched kernels: " : ", ",
                          format_count(static_cast<std::int64_t>(kernels)), why);
  };
  add(alone, "in groups with no other rank loaded");
  add(unmatched, "that ran while other ranks in their group were not recorded");
  add(unknown, "in an unknown process group");
  return joined_notes({unreadable, refused, how, left.empty() ? "" : left + ".",
                       compared.size() > 1 ? trace::assumed_ranks_note(profile_.ranks) : ""});
}

std::shared_ptr<const RankComparison> compare_ranks(const AnalysisInput& input) {
  const std::string rules = input.values.text(kKernelClassParameter.name);
  const GpuRows rows(input.profile, {input.scope.ranks, {}}, {.rules = rules}, input.cancel, input.shared);
  return get_shared(
      input.shared, fmt::format("rank comparison {} {}", fmt::join(rows.ranks(), ","), rules), input.cancel,
      [&] { return RankComparison(input, rows); }, [](const RankComparison& made) { return made.bytes(); });
}

std::string too_few_ranks(const trace::Profile& profile, std::string_view doing) {
  std::int64_t world = 0;
  std::set<std::int64_t> present;
  for (const auto& rank : profile.ranks) {
    if (!rank->number_assigned) world = std::max(world, rank->world_size);
    present.insert(rank->number);
  }
  const bool missing = present.size() == 1 && trace::missing_ranks(present, world).count > 0;
  return fmt::format("{} requires at least two ranks{}.", doing,
                     missing ? fmt::format("; only 1 of {} ranks has a trace", format_count(world)) : "");
}

std::string rank_list(const trace::Profile& profile, const JobCollectives& matches, const JobCollective& collective) {
  std::vector<std::int64_t> numbers;
  for (const std::uint32_t e : matches.members_of(collective))
    numbers.push_back(profile.ranks[matches.event(e).rank]->number);
  std::ranges::sort(numbers);
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ' ';
    if (numbers.size() > 8 && last - i > 1) {
      text += fmt::format("{}-{}", numbers[i], numbers[last]);
    } else {
      for (std::size_t k = i; k <= last; ++k) text += fmt::format("{}{}", k == i ? "" : " ", numbers[k]);
    }
    i = last + 1;
  }
  return text;
}

}  // namespace warpscope::analysis
