#include "core/analysis/request/evaluated_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/analysis/request/runs.hpp"
#include "core/base/counted.hpp"
#include "core/base/threads/parallel_for.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::uint32_t kStepsToTrim = 4;

/// A step's name, and how many earlier steps of its rank have the same.
using StepKey = std::pair<NameId, std::uint32_t>;

/// Keys of a rank's steps; without those that end after its recording.
std::vector<std::optional<StepKey>> keys_of(const trace::Rank& rank, const trace::PartialRank* partial) {
  std::map<NameId, std::uint32_t> seen;
  std::vector<std::optional<StepKey>> keys;
  for (const trace::Step& step : rank.steps) {
    const StepKey key{step.name, seen[step.name]++};
    const bool complete = partial == nullptr || step.time.end <= partial->until;
    keys.push_back(complete && !step.time.empty() ? std::optional(key) : std::nullopt);
  }
  return keys;
}

class RankWalk {
 public:
  RankWalk(const trace::Profile& profile, const trace::Rank& rank, const CancelToken* cancel)
      : rank_(rank), roles_(roles_of_categories(profile)), cancel_(cancel) {}

  /// Calls visit(launch, time) for each activity. One without a recorded launch was launched before the recording
  /// (nullopt); if there are no launches at all, when it starts.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const trace::Device& device : rank_.devices)
      for (const std::uint32_t t : device.streams)
        for (const std::uint32_t l : recorded_lanes(rank_, rank_.tracks[t])) {
          if (cancelled(cancel_)) return;
          const trace::Lane& lane = rank_.lanes[l];
          trace::Connections::Causes causes(rank_.launches);
          for_each_part(lane, std::nullopt, [&](std::uint32_t i, Interval time) {
            if (!trace::is_run(roles_[lane.category(i)])) return;
            const trace::Connection* const launch = causes.of(rank_.lane_start[l] + i);
            visit(launch != nullptr              ? std::optional(rank_.begin(launch->from))
                  : rank_.launches.all().empty() ? std::optional(time.begin)
                                                 : std::nullopt,
                  time);
          });
        }
  }

 private:
  const trace::Rank& rank_;
  RoleOfCategory roles_;
  const CancelToken* cancel_;
};

void evaluate_steps(const trace::Rank& rank, const RankWalk& walk, EvaluatedRank& found) {
  const std::uint32_t end = found.first_step + found.steps;
  found.host = {rank.steps[found.first_step].time.begin, rank.steps[found.first_step].time.end};
  for (std::uint32_t s = found.first_step; s < end; ++s) found.host = cover(found.host, rank.steps[s].time);
  std::vector<Ns> ends(found.steps, std::numeric_limits<Ns>::min());
  std::optional<Ns> before;
  std::optional<Ns> first;
  Ns begins = std::numeric_limits<Ns>::max();  // activity launched in the steps
  Ns launches = begins;
  walk.for_each([&](std::optional<Ns> launch, Interval time) {
    first = std::min(first.value_or(time.begin), time.begin);
    if (!launch || *launch >= found.host.end) return;
    if (*launch < found.host.begin) {
      before = std::max(before.value_or(time.end), time.end);
      return;
    }
    const auto after = std::upper_bound(rank.steps.begin() + found.first_step, rank.steps.begin() + end, *launch,
                                        [](Ns key, const trace::Step& step) { return key < step.time.begin; });
    Ns& of_step = ends[static_cast<std::size_t>(after - rank.steps.begin()) - found.first_step - 1];
    of_step = std::max(of_step, time.end);
    begins = std::min(begins, time.begin);
    launches = std::min(launches, *launch);
  });
  if (!first) return;
  Ns from = found.host.begin;
  if (before)
    from = *before;
  else if (*first < launches)
    from = begins;
  else
    ends.back() = std::max(ends.back(), found.host.end);
  found.gpu = {from, from};
  for (const Ns of_step : ends) {
    found.gpu_steps.push_back({found.gpu.end, std::max(found.gpu.end, of_step)});
    found.gpu.end = found.gpu_steps.back().end;
  }
}

}  // namespace

EvaluatedRank steps_of_rank(const trace::Profile& profile, std::uint32_t r, std::uint32_t first, std::uint32_t steps,
                            const CancelToken* cancel) {
  EvaluatedRank found;
  found.first_step = first;
  found.steps = steps;
  const trace::Rank& rank = *profile.ranks[r];
  if (steps > 0) evaluate_steps(rank, RankWalk(profile, rank, cancel), found);
  return found;
}

EvaluatedTime::EvaluatedTime(const trace::Profile& profile, const CancelToken* cancel) : ranks(profile.ranks.size()) {
  const trace::CoveredTime covered(profile);
  const auto repeats = [&](std::size_t r) { return ingest::format_of(*profile.ranks[r]).repeats_traces(); };
  bool others = false;
  for (std::size_t r = 0; r < ranks.size(); ++r) others |= !repeats(r) && !profile.ranks[r]->devices.empty();
  std::vector<std::vector<std::optional<StepKey>>> keys(ranks.size());
  std::map<StepKey, std::uint32_t> ranks_of;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (profile.ranks[r]->devices.empty() || (others && repeats(r))) continue;
    keys[r] = keys_of(*profile.ranks[r], covered.find(r));
    for (const auto& key : keys[r])
      if (key) ++ranks_of[*key];
  }
  std::uint32_t most = 0;
  for (const auto& [key, count] : ranks_of) most = std::max(most, count);
  std::vector<char> shortened(ranks.size());
  parallel_for(ranks.size(), analysis_threads(), [&](std::size_t r) {
    if (cancelled(cancel)) return;
    const trace::Rank& rank = *profile.ranks[r];
    EvaluatedRank& found = ranks[r];
    if (others && repeats(r)) {
      found.host = rank.span;  // its GPU activity is that of another rank
      return;
    }
    const auto common = [&](const std::optional<StepKey>& key) { return key && ranks_of.at(*key) == most; };
    const auto first = std::ranges::find_if(keys[r], common);
    const auto last = std::find_if(keys[r].rbegin(), keys[r].rend(), common).base();
    if (first < last) {
      found.first_step = static_cast<std::uint32_t>(first - keys[r].begin());
      found.steps = static_cast<std::uint32_t>(last - first);
      if (found.steps >= kStepsToTrim) {
        ++found.first_step;
        found.steps -= 2;
        shortened[r] = 1;
      }
    }
    const RankWalk walk(profile, rank, cancel);
    if (found.steps > 0) {
      evaluate_steps(rank, walk, found);
    } else {
      found.host = rank.span;
      Interval whole = kEmptySpan;
      walk.for_each([&](std::optional<Ns>, Interval time) { whole = cover(whole, time); });
      if (whole.begin <= whole.end) found.gpu = whole;
      if (!found.gpu.empty()) found.gpu_steps = {found.gpu};
    }
  });
  trimmed = std::ranges::find(shortened, 1) != shortened.end();
  bool with = false;
  bool without = false;
  for (const EvaluatedRank& rank : ranks)
    if (!rank.gpu.empty()) (rank.steps > 0 ? with : without) = true;
  if (!without) return;
  const bool recorded = std::ranges::any_of(profile.ranks, [](const auto& rank) { return !rank->steps.empty(); });
  no_steps = with ? "some GPUs have no steps" : recorded ? "no step is complete" : "the trace has no steps";
}

std::string EvaluatedTime::note() const {
  std::uint32_t most = 0;
  for (const EvaluatedRank& rank : ranks) most = std::max(most, rank.steps);
  if (most == 0) return "";
  return fmt::format("Covers {}{}.", counted(most, "step", "steps"), trimmed ? ", excluding the first and last" : "");
}

std::shared_ptr<const EvaluatedTime> evaluated_time(const trace::Profile& profile, const CancelToken* cancel,
                                                    SharedResults* shared) {
  return get_shared(
      shared, "evaluated time", cancel, [&] { return EvaluatedTime(profile, cancel); },
      [](const EvaluatedTime& time) { return time.ranks.size() * sizeof(EvaluatedRank); });
}

}  // namespace warpscope::analysis
