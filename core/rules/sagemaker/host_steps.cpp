#include "core/rules/sagemaker/host_steps.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/job/all_steps.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules {

namespace {

constexpr std::size_t kLeastSteps = 100;

bool has_letters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

/// Returns the number of outliers among the first `count` steps.
std::int64_t outliers_among(const std::vector<double>& seconds, std::size_t count, double deviations) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += seconds[i];
  const double mean = sum / static_cast<double>(count);
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) squares += (seconds[i] - mean) * (seconds[i] - mean);
  const double limit = mean + deviations * std::sqrt(squares / static_cast<double>(count));
  return std::count_if(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](double each) { return each > limit; });
}

}  // namespace

std::vector<StepPhase> step_phases(Facts& facts, std::string_view mode) {
  const trace::Profile& profile = facts.profile();
  std::vector<StepPhase> all;
  for (const std::uint32_t rank : facts.all_rows().ranks()) {
    std::map<std::string, StepPhase, std::less<>> phases;
    for (const trace::Step& step : analysis::all_steps(profile, *profile.ranks[rank])) {
      const std::string_view phase = analysis::phase_of(profile.names().view(step.name));
      if (has_letters(mode) && phase.find(mode) == std::string_view::npos) continue;
      phases[std::string(phase)].steps.push_back(step);
    }
    for (auto& [name, phase] : phases) all.push_back({rank, name, std::move(phase.steps)});
  }
  return all;
}

AwsCounts step_outlier_counts(const std::vector<StepPhase>& phases, double deviations, std::int64_t outliers,
                              Ns interval) {
  AwsCounts counts;
  for (const StepPhase& phase : phases) {
    std::vector<trace::Step> steps = phase.steps;
    std::ranges::sort(steps, {}, [](const trace::Step& step) { return step.time.end; });
    std::vector<Ns> ends;
    std::vector<double> seconds;
    for (const trace::Step& step : steps) {
      ends.push_back(step.time.end);
      seconds.push_back(static_cast<double>(step.time.length()) / 1e9);
    }
    counts.datapoints += static_cast<std::int64_t>(steps.size());
    for_each_scan(ends, interval, [&](std::size_t count) {
      if (count <= kLeastSteps) return;
      const std::int64_t found = outliers_among(seconds, count, deviations);
      if (found <= outliers) return;
      ++counts.triggered;
      counts.violations += found;
    });
  }
  return counts;
}

}  // namespace warpscope::rules
