#include <algorithm>
#include <array>

#include "core/analysis/request/evaluated_time.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/base/word_at.hpp"
#include "core/trace/partial_ranks.hpp"

namespace warpscope::analysis {

using trace::Rank;
using trace::Step;

std::optional<std::uint32_t> step_at(const Rank& rank, Ns time) {
  const auto after = std::upper_bound(rank.steps.begin(), rank.steps.end(), time,
                                      [](Ns key, const Step& step) { return key < step.time.begin; });
  if (after == rank.steps.begin() || (after - 1)->time.end <= time) return std::nullopt;
  return static_cast<std::uint32_t>(after - rank.steps.begin() - 1);
}

std::string_view to_string(StepSource source) {
  static constexpr std::array<std::string_view, 2> kWords{"gpu", "host"};
  return word_at(kWords, source);
}

std::vector<StepSample> step_samples(const trace::Profile& profile, const Scope& scope, const CancelToken* cancel) {
  const trace::CoveredTime covered(profile);
  std::vector<StepSample> samples;
  for (const std::uint32_t r : ranks_in(profile, scope)) {
    const Rank& rank = *profile.ranks[r];
    const bool trimmed = !scope.range && scope.evaluated != nullptr;
    auto end = static_cast<std::uint32_t>(rank.steps.size());
    const EvaluatedRank steps = trimmed ? scope.evaluated->ranks[r] : steps_of_rank(profile, r, 0, end, cancel);
    const auto on_gpu = [&](std::uint32_t s) {
      return s - steps.first_step < steps.gpu_steps.size() ? steps.gpu_steps[s - steps.first_step] : Interval{};
    };
    if (const trace::PartialRank* const partial = covered.find(r); partial != nullptr && !trimmed) {
      while (end > 0 && (on_gpu(end - 1).empty() || on_gpu(end - 1).begin >= partial->until)) --end;
      if (end > 0)
        --end;  // may have had more activity
      else
        while (end < rank.steps.size() && rank.steps[end].time.end <= partial->until) ++end;
    }
    for (std::uint32_t s = 0; s < end; ++s) {
      if (!scope.has_step(profile, r, s)) continue;
      const bool host = on_gpu(s).empty();
      const Interval time = host ? rank.steps[s].time : on_gpu(s);
      samples.push_back({{r, rank.steps[s].slice},
                         rank.steps[s].name,
                         time.begin,
                         saturating_difference(time.end, time.begin),
                         host ? StepSource::host : StepSource::gpu});
    }
  }
  return samples;
}

}  // namespace warpscope::analysis
