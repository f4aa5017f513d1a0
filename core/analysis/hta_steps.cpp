#include "core/analysis/hta_steps.hpp"

#include <algorithm>

#include "core/analysis/runs.hpp"

namespace warpscope::analysis {
namespace {

constexpr Ns kMicrosecond = 1000;

Ns rounded_down(Ns time) {
  const Ns rest = time % kMicrosecond;
  return time - (rest < 0 ? rest + kMicrosecond : rest);
}

bool is_profiler_step(std::string_view name) { return name.starts_with("ProfilerStep"); }

}  // namespace

Ns hta_rounded(Ns time) { return rounded_down(saturating_add(time, kMicrosecond - 1)); }
Interval hta_rounded(Interval time) { return {hta_rounded(time.begin), rounded_down(time.end)}; }

HtaSteps::HtaSteps(const trace::Profile& profile) {
  for (const auto& rank : profile.ranks)
    for (const trace::Step& step : rank->steps)
      if (is_profiler_step(profile.names().view(step.name))) names_.push_back(step.name);
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

std::optional<Ns> HtaSteps::last_begin(const trace::Rank& rank) const {
  if (names_.size() < 2) return std::nullopt;
  std::optional<Ns> last;
  const auto take = [&](Ns begin) { last = std::max(last.value_or(begin), begin); };
  for (const trace::Step& step : rank.steps)
    if (std::ranges::binary_search(names_, step.name)) take(step.time.begin);
  for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
    if (rows_of(rank, l) != trace::LaneKind::gpu_annotation) continue;
    const trace::Lane& lane = rank.lanes[l];
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (std::ranges::binary_search(names_, lane.name(i))) take(lane.time().begin(i));
  }
  return last;
}

}  // namespace warpscope::analysis
