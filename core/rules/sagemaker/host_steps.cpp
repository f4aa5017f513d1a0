#include "core/rules/sagemaker/host_steps.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/rules/sampled_series.hpp"

namespace warpscope::rules {

namespace {

constexpr std::size_t kLeastSteps = 100;
constexpr std::string_view kFrameworkStep = "Step:ModeKeys";

bool has_letters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

std::size_t digits_from(std::string_view step) {
  const std::size_t last = step.find_last_not_of("0123456789");
  return last == std::string_view::npos ? 0 : last + 1;
}

/// Steps longer than the limit among the first `count`.
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

std::string_view phase_of(std::string_view step) {
  std::string_view phase = step.substr(0, digits_from(step));
  while (phase.size() < step.size() && !phase.empty() &&
         std::string_view("#_ -:").find(phase.back()) != std::string_view::npos)
    phase.remove_suffix(1);
  return phase.empty() ? step : phase;
}

std::optional<std::int64_t> number_of(std::string_view step) {
  const std::string_view digits = step.substr(digits_from(step));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc()) return std::nullopt;
  return number;
}

std::vector<StepPhase> step_phases(Facts& facts, std::string_view mode) {
  const trace::Profile& profile = facts.profile();
  std::vector<StepPhase> all;
  for (const std::uint32_t rank : facts.all_rows().ranks()) {
    std::map<std::string, StepPhase, std::less<>> phases;
    for (const trace::Step& step : all_steps(profile, *profile.ranks[rank])) {
      const std::string_view phase = phase_of(profile.names().view(step.name));
      if (has_letters(mode) && phase.find(mode) == std::string_view::npos) continue;
      phases[std::string(phase)].steps.push_back(step);
    }
    for (auto& [name, phase] : phases) all.push_back({rank, name, std::move(phase.steps)});
  }
  return all;
}

std::vector<trace::Step> all_steps(const trace::Profile& profile, const trace::Rank& rank) {
  std::vector<trace::Step> steps = rank.steps;
  const auto is_phase = [](const auto& family) { return family.first.starts_with(kFrameworkStep); };
  if (std::ranges::count_if(rank.annotations, is_phase) < 2) return steps;
  std::set<trace::SliceOrdinal> known;
  for (const trace::Step& step : steps) known.insert(step.slice);
  for (std::uint32_t lane = 0; lane < rank.lanes.size(); ++lane) {
    if (!rank.tracks[rank.track_of_lane(lane)].label.starts_with(kFrameworkStep)) continue;
    if (rank.rows_of(lane) == trace::LaneKind::damaged || rank.rows_of(lane) == trace::LaneKind::instant) continue;
    for (trace::SliceOrdinal slice = rank.lane_start[lane]; slice < rank.lane_start[lane + 1]; ++slice) {
      if (known.contains(slice) || !profile.names().view(rank.name(slice)).starts_with(kFrameworkStep)) continue;
      const Ns begin = rank.begin(slice);
      steps.push_back({rank.name(slice), {begin, saturating_add(begin, rank.duration(slice))}, slice});
    }
  }
  std::ranges::sort(steps, {}, [](const trace::Step& step) { return std::pair(step.time.begin, step.slice); });
  return steps;
}

AwsCounts step_outlier_counts(const std::vector<StepPhase>& phases, double deviations, std::int64_t outliers) {
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
    for_each_minute(ends, [&](std::size_t count) {
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
