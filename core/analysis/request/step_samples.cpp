#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/base/word_at.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis {

using trace::Rank;
using trace::Step;

namespace {

/// The steps of one rank with their times.
class RankSteps {
 public:
  RankSteps(const Rank& rank, const RoleOfCategory& roles, const CancelToken* cancel)
      : rank_(rank), roles_(roles), cancel_(cancel), shadows_(rank.steps.size()) {
    for (std::uint32_t s = 0; s < rank.steps.size(); ++s) by_name_[rank.steps[s].name].push_back(s);
    add_shadows();
    add_runs();
  }

  /// Counts the complete steps if the rank's data ends at `until`: those before the last one with device activity,
  /// because that one may be incomplete; without any activity, those that ended on the host.
  [[nodiscard]] std::uint32_t whole_until(Ns until) const {
    for (std::uint32_t s = static_cast<std::uint32_t>(runs_.size()); s-- > 0;)
      if (!is_none(runs_[s]) || !is_none(shadows_[s].time)) return s;
    std::uint32_t whole = 0;
    while (whole < rank_.steps.size() && rank_.steps[whole].time.end <= until) ++whole;
    return whole;
  }

  [[nodiscard]] StepSample sample(std::uint32_t rank_index, std::uint32_t s) const {
    const Step& step = rank_.steps[s];
    const trace::SliceRef host{rank_index, step.slice};
    StepSample sample{host, host, step.name, step.time.begin, step.time.length(), StepSource::host};
    const Shadow& shadow = shadows_[s];
    const bool ran = !is_none(runs_[s]);
    sample.short_annotation = ran && !is_none(shadow.time) && shadow.time.length() < runs_[s].length() / 2;
    if (!is_none(shadow.time) && !sample.short_annotation) {
      sample.source = StepSource::gpu_annotation;
      sample.measured.slice = shadow.longest;
      set_time(sample, shadow.time);
    } else if (ran) {
      sample.source = StepSource::runs;
      set_time(sample, runs_[s]);
    }
    return sample;
  }

 private:
  /// Shadows of a step on the rank's devices.
  struct Shadow {
    Interval time = kEmptySpan;       // kEmptySpan: none
    trace::SliceOrdinal longest = 0;  // longest slice, and its length
    Ns length = 0;
  };

  static bool is_none(Interval time) { return time.begin > time.end; }
  static void set_time(StepSample& sample, Interval time) {
    sample.begin = time.begin;
    sample.duration = saturating_difference(time.end, time.begin);
  }

  void add_shadows() {
    for (std::uint32_t l = 0; l < rank_.lanes.size(); ++l) {
      if (rank_.rows_of(l) != trace::LaneKind::gpu_annotation || cancelled(cancel_)) continue;
      const trace::Lane& lane = rank_.lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        const auto named = by_name_.find(lane.name(i));
        if (named == by_name_.end()) continue;
        const Interval time{lane.time().begin(i), lane.time().end(i)};
        const std::vector<std::uint32_t>& steps = named->second;
        const auto after = std::upper_bound(steps.begin(), steps.end(), time.begin,
                                            [&](Ns key, std::uint32_t s) { return key < rank_.steps[s].time.begin; });
        Shadow& shadow = shadows_[after == steps.begin() ? *after : *(after - 1)];
        if (is_none(shadow.time) || time.length() > shadow.length) {
          shadow.longest = rank_.ordinal({l, i});
          shadow.length = time.length();
        }
        shadow.time = cover(shadow.time, time);
      }
    }
  }

  void add_runs() {
    runs_.assign(rank_.steps.size(), kEmptySpan);
    std::uint32_t lane = 0;  // of the launch; launches are in the order of ordinals
    std::uint32_t looked = 0;
    for (const trace::Connection& pair : rank_.launches.all()) {
      if (looked++ % kCancelEvery == 0 && cancelled(cancel_)) return;
      while (lane + 1 < rank_.lanes.size() && rank_.lane_start[lane + 1] <= pair.from) ++lane;
      const auto s = step_at(rank_, rank_.lanes[lane].time().begin(pair.from - rank_.lane_start[lane]));
      if (!s) continue;
      const trace::SlicePlace run = rank_.locate(pair.to);
      const trace::Lane& stream = rank_.lanes[run.lane];
      if (!holds_recorded(rank_, run.lane) || !trace::is_run(roles_[stream.category(run.index)])) continue;
      runs_[*s] = cover(runs_[*s], {stream.time().begin(run.index), stream.time().end(run.index)});
    }
  }

  static constexpr std::uint32_t kCancelEvery = 1u << 16;

  const Rank& rank_;
  const RoleOfCategory& roles_;
  const CancelToken* cancel_;
  std::unordered_map<NameId, std::vector<std::uint32_t>> by_name_;  // steps, by start
  std::vector<Shadow> shadows_;                                     // by step
  std::vector<Interval> runs_;                                      // by step; kEmptySpan: none
};

}  // namespace

std::optional<std::uint32_t> step_at(const Rank& rank, Ns time) {
  const auto after = std::upper_bound(rank.steps.begin(), rank.steps.end(), time,
                                      [](Ns key, const Step& step) { return key < step.time.begin; });
  if (after == rank.steps.begin() || (after - 1)->time.end <= time) return std::nullopt;
  return static_cast<std::uint32_t>(after - rank.steps.begin() - 1);
}

std::string_view to_string(StepSource source) {
  static constexpr std::array<std::string_view, 3> kWords{"gpu annotation", "first to last activity", "host"};
  return word_at(kWords, source);
}

std::vector<StepSample> step_samples(const trace::Profile& profile, const Scope& scope, const CancelToken* cancel) {
  const RoleOfCategory roles = roles_of_categories(profile);
  const trace::CoveredTime covered(profile);
  std::vector<StepSample> samples;
  for (const std::uint32_t r : ranks_in(profile, scope)) {
    const Rank& rank = *profile.ranks[r];
    if (rank.steps.empty()) continue;
    const RankSteps steps(rank, roles, cancel);
    const trace::PartialRank* partial = covered.find(r);
    const std::uint32_t whole =
        partial == nullptr ? static_cast<std::uint32_t>(rank.steps.size()) : steps.whole_until(partial->until);
    for (std::uint32_t s = 0; s < whole; ++s)
      if (scope.has_step(profile, r, s)) samples.push_back(steps.sample(r, s));
  }
  return samples;
}

}  // namespace warpscope::analysis
