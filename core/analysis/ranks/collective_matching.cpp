#include "core/analysis/ranks/collective_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "core/analysis/ranks/clock_fit.hpp"
#include "core/analysis/ranks/job_matching.hpp"
#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/base/format.hpp"
#include "core/trace/recordings.hpp"

namespace warpscope::analysis {

namespace {

// Ends of one collective differ by microseconds within a node and, after clock alignment, by up to 3 ms across nodes.
constexpr Ns kSameEnd = 2'000'000;
constexpr double kLeastAgreement = 0.8;

struct CollectiveKernel {
  std::uint32_t recording = 0;
  StepKey step{};
  NameId name = 0;
  std::uint32_t rank = 0;  // index
  Interval time;
  trace::SliceOrdinal slice = 0;

  /// Key common to all kernels of one collective.
  [[nodiscard]] auto bucket() const { return std::tuple(recording, step, name); }
};

bool in_one_bucket(const CollectiveKernel& a, const CollectiveKernel& b) { return a.bucket() == b.bucket(); }

/// Returns the communication kernels of a rank, by start.
std::vector<CollectiveKernel> kernels_of(const AnalysisInput& input, const GpuRows& rows, std::uint32_t index) {
  const trace::Rank& rank = *input.profile.ranks[index];
  const std::optional<Interval>& range = input.scope.range;
  const std::vector<StepKey> keys = step_keys(rank);
  std::vector<CollectiveKernel> kernels;
  const std::shared_ptr<const GpuRows::Rows> all = rows.of(index);
  for (const GpuRow& row : *all) {
    if (row.kind != KernelClass::communication || row.time.length() < 0) continue;
    CollectiveKernel kernel{.name = row.name, .rank = index, .time = row.time, .slice = row.slice};
    const auto step = row.launch ? step_at(rank, rank.begin(*row.launch)) : std::nullopt;
    if (range && !is_within(step ? rank.steps[*step].time : row.time, *range)) continue;
    if (step) kernel.step = keys[*step];
    kernels.push_back(kernel);
  }
  return kernels;
}

/// Matches kernels in traces without process groups, but only if all ranks ran the same number of kernels with each
/// name in each step and their end times agree.
class NameMatcher {
 public:
  explicit NameMatcher(const AnalysisInput& input)
      : input_(input), recordings_(trace::recordings_of(input.profile.ranks)) {}

  void add(std::uint32_t rank, std::vector<CollectiveKernel> kernels) {
    if (kernels.empty()) return;
    const std::uint32_t recording = recordings_.of_rank[rank];
    ++ranks_of_[recording];
    for (CollectiveKernel& kernel : kernels) kernel.recording = recording;
    kernels_.insert(kernels_.end(), kernels.begin(), kernels.end());
  }

  CollectiveMatches match() {
    matches_.by_name = true;
    const bool steps = std::ranges::any_of(kernels_, [](const auto& kernel) { return kernel.step != StepKey(); });
    if (steps)
      matches_.unmatched.outside_steps =
          std::erase_if(kernels_, [](const CollectiveKernel& kernel) { return kernel.step == StepKey(); });
    for_each_bucket([&](Place from, Place to) {
      if (matches_.refused.empty()) matches_.refused = inequality(from, to);
      match_order(from, to);
    });
    if (matches_.refused.empty()) matches_.refused = disagreement();
    if (!matches_.refused.empty()) {
      matches_.collectives.clear();
      matches_.unmatched = {};
    }
    return std::move(matches_);
  }

 private:
  using Kernels = std::vector<CollectiveKernel>;
  using Place = Kernels::const_iterator;

  /// Calls visit(from, to) for each bucket, with kernels by rank, then by start.
  template <class Visit>
  void for_each_bucket(Visit visit) {
    std::ranges::stable_sort(kernels_, {}, [](const CollectiveKernel& kernel) {
      return std::tuple(kernel.bucket(), kernel.rank, kernel.time.begin);
    });
    for (auto from = kernels_.cbegin(); from != kernels_.cend();) {
      if (cancelled(input_.cancel)) return;
      const auto to = std::find_if(from, kernels_.cend(),
                                   [&](const CollectiveKernel& each) { return !in_one_bucket(*from, each); });
      visit(from, to);
      from = to;
    }
  }

  [[nodiscard]] static std::map<std::uint32_t, std::vector<const CollectiveKernel*>> by_rank(Place from, Place to) {
    std::map<std::uint32_t, std::vector<const CollectiveKernel*>> ranks;
    for (auto at = from; at != to; ++at) ranks[at->rank].push_back(&*at);
    return ranks;
  }

  void match_order(Place from, Place to) {
    const auto ranks = by_rank(from, to);
    const std::size_t count = ranks.begin()->second.size();
    const auto kernels = static_cast<std::uint64_t>(to - from);
    if (ranks.size() < 2) {
      matches_.unmatched.alone += kernels;
    } else if (std::ranges::any_of(ranks, [&](const auto& rank) { return rank.second.size() != count; })) {
      matches_.unmatched.unequal += kernels;
    } else {
      for (std::size_t k = 0; k < count; ++k) {
        MatchedCollective& collective = matches_.collectives.emplace_back();
        collective.recording = from->recording;
        collective.step = from->step;
        for (const auto& [rank, own] : ranks) collective.members.push_back({rank, own[k]->time, own[k]->slice});
      }
    }
  }

  /// Explains why the kernels of a bucket must belong to different groups; "" if they may match.
  [[nodiscard]] std::string inequality(Place from, Place to) const {
    const auto ranks = by_rank(from, to);
    const std::string kernel = fmt::format(
        "{}{}", input_.profile.names().view(from->name),
        from->step == StepKey() ? "" : fmt::format(" in {}", input_.profile.names().view(from->step.first)));
    const auto number = [&](std::uint32_t rank) { return input_.profile.ranks[rank]->number; };
    const std::size_t all = ranks_of_.at(from->recording);
    if (ranks.size() < all) return fmt::format("only {} of {} ranks ran {}", ranks.size(), all, kernel);
    const auto& [first, own] = *ranks.begin();
    for (const auto& [rank, kernels] : ranks)
      if (kernels.size() != own.size())
        return fmt::format("rank {} ran {} {} times, rank {} {} times", number(first), kernel, own.size(), number(rank),
                           kernels.size());
    return "";
  }

  /// Explains why the matched kernels must belong to different collectives; "" if they may match. End times on a rank
  /// differ from those on the first by a constant clock offset, which is 0 within a node.
  [[nodiscard]] std::string disagreement() const {
    // Keyed by the first rank of the collective and the other rank.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Ns>> differences;
    for (const MatchedCollective& collective : matches_.collectives)
      for (const CollectiveMember& member : collective.members)
        differences[{collective.members.front().rank, member.rank}].push_back(
            saturating_difference(member.time.end, collective.members.front().time.end));
    const trace::Profile& profile = input_.profile;
    for (auto& [ranks, ends] : differences) {
      const auto [first, rank] = ranks;
      const Ns middle = upper_median(ends);
      const Ns offset = profile.node_of_rank[rank] == profile.node_of_rank[first] ? 0 : middle;
      const auto agree = std::ranges::count_if(ends, [&](Ns end) {
        const Ns apart = saturating_difference(end, offset);
        return apart >= -kSameEnd && apart <= kSameEnd;
      });
      if (static_cast<double>(agree) < kLeastAgreement * static_cast<double>(ends.size()))
        return fmt::format("kernels on ranks {} and {} do not end at the same time", profile.ranks[first]->number,
                           profile.ranks[rank]->number);
    }
    return "";
  }

  const AnalysisInput& input_;
  Kernels kernels_;
  trace::Recordings recordings_;
  std::map<std::uint32_t, std::size_t> ranks_of_;  // by recording: number of ranks with kernels
  CollectiveMatches matches_;
};

/// Collectives of process groups, as used by all multi-rank analyses.
CollectiveMatches matches_of_groups(const AnalysisInput& input, const JobCollectives& job) {
  const trace::Profile& profile = input.profile;
  std::map<std::uint32_t, std::vector<StepKey>> keys;  // by rank
  const auto step_of = [&](const CommunicationEvent& event) {
    if (event.step == kNoIndex) return StepKey();
    const auto [known, fresh] = keys.try_emplace(event.rank);
    if (fresh) known->second = step_keys(*profile.ranks[event.rank]);
    return known->second[event.step];
  };
  const auto counts = [&](const CommunicationEvent& event) {
    const std::optional<Interval>& range = input.scope.range;
    if (!range) return true;
    return is_within(event.step == kNoIndex ? event.time : profile.ranks[event.rank]->steps[event.step].time, *range);
  };
  CollectiveMatches matches;
  for (const JobCollective& collective : job.collectives) {
    if (job.group(collective).point_to_point) continue;
    MatchedCollective found{job.group(collective).recording, {}, {}};
    for (const std::uint32_t e : job.members_of(collective)) {
      const CommunicationEvent& event = job.event(e);
      if (!counts(event)) continue;
      if (found.members.empty()) found.step = step_of(event);
      found.members.push_back({event.rank, event.time, event.slice});
    }
    if (found.members.size() > 1) matches.collectives.push_back(std::move(found));
  }
  std::ranges::stable_sort(matches.collectives, {},
                           [](const MatchedCollective& each) { return std::pair(each.recording, each.step); });
  for (std::uint32_t e = 0; e < job.job.events.size(); ++e) {
    const CommunicationEvent& event = job.event(e);
    if (!counts(event)) continue;
    if (event.group == kNoIndex)
      ++matches.unmatched.unknown_group;
    else if (job.job.groups[event.group].point_to_point)
      ++matches.unmatched.point_to_point;
    else if (job.collective_of[e] == kNoIndex)
      ++(job.ranks[event.rank].refused.empty() ? matches.unmatched.alone : matches.unmatched.refused);
  }
  for (const std::uint32_t r : job.compared)
    if (!job.ranks[r].refused.empty() && matches.left_out.empty())
      matches.left_out = fmt::format("rank {}: {}", profile.ranks[r]->number, job.ranks[r].refused);
  return matches;
}

}  // namespace

std::vector<StepKey> step_keys(const trace::Rank& rank) {
  std::map<NameId, std::uint32_t> seen;
  std::vector<StepKey> keys;
  keys.reserve(rank.steps.size());
  for (const trace::Step& step : rank.steps) keys.emplace_back(step.name, seen[step.name]++);
  return keys;
}

LastArrival last_arrival(const MatchedCollective& collective) {
  LastArrival last;
  Ns second = std::numeric_limits<Ns>::max();
  for (const CollectiveMember& member : collective.members) {
    const Ns length = member.time.length();
    if (last.member != nullptr && length >= last.length) {
      second = std::min(second, length);
      continue;
    }
    if (last.member != nullptr) second = last.length;
    last.member = &member;
    last.length = length;
  }
  last.delay = second - last.length;
  for (const CollectiveMember& member : collective.members)
    last.wait = saturating_add(last.wait, member.time.length() - last.length);
  return last;
}

CollectiveMatches match_collectives(const AnalysisInput& input, const GpuRows& rows) {
  if (rows.ranks().size() < 2) return {};
  JobCollectives job = match_job(input, rows);
  if (!job.job.unreadable.empty()) {
    // Without arguments, a kernel can belong to any group, so matching by name would mix groups.
    CollectiveMatches matches;
    matches.unreadable = job.job.unreadable;
    return matches;
  }
  if (job.job.groups_recorded) {
    static_cast<void>(fit_clocks(job));  // refuses ranks whose collectives do not end together with the others'
    return matches_of_groups(input, job);
  }
  NameMatcher matcher(input);
  for (const std::uint32_t rank : rows.ranks()) {
    if (cancelled(input.cancel)) break;
    matcher.add(rank, kernels_of(input, rows, rank));
  }
  return matcher.match();
}

std::string unmatched_note(const CollectiveMatches& matches) {
  const UnmatchedKernels& unmatched = matches.unmatched;
  if (unmatched.count() == 0) return "";
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view why) {
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "Kernels not compared: " : ", ",
                          format_count(static_cast<std::int64_t>(count)), why);
  };
  add(unmatched.alone, "with no match on another rank");
  add(unmatched.unequal, "in steps where ranks ran different numbers of kernels");
  add(unmatched.refused, fmt::format("on ranks that do not match ({})", matches.left_out));
  add(unmatched.unknown_group, "in an unknown process group");
  add(unmatched.point_to_point, "that send or receive");
  add(unmatched.outside_steps, "outside steps");
  return text + ".";
}

}  // namespace warpscope::analysis
