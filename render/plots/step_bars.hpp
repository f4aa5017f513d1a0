#pragma once
// Shows a few steps as bars in chronological order, because a histogram of a handful of values is not informative.
#include <optional>
#include <vector>

#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

/// Minimum number of steps for a histogram.
inline constexpr std::size_t kLeastInHistogram = 20;

/// Bars made from the first table that has steps and durations, and the index of that table. Only for tables with fewer
/// than kLeastInHistogram rows.
struct StepBars {
  PlottedBars plotted;
  std::size_t table = 0;
};
[[nodiscard]] std::optional<StepBars> step_bars(const std::vector<Table>& tables, scene::Theme theme);

}  // namespace warpscope::plots
