#include "core/analysis/job/all_steps.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "core/base/word_at.hpp"
#include "core/trace/annotation_family.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::string_view kFrameworkStep = "Step:ModeKeys";

std::size_t digits_from(std::string_view step) {
  const std::size_t last = step.find_last_not_of("0123456789");
  return last == std::string_view::npos ? 0 : last + 1;
}

}  // namespace

std::string_view phase_of(std::string_view step) {
  constexpr std::array<std::string_view, 4> kIterations{"", "prefill", "decode", "prefill and decode"};
  if (const auto phase = trace::iteration_phase(step); phase != trace::IterationPhase::none)
    return word_at(kIterations, phase);
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

}  // namespace warpscope::analysis
