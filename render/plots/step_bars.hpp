#pragma once
// A few steps as bars in their order. A histogram of a handful of values shows nothing but their number.
#include <optional>
#include <vector>

#include "render/plots/part_bars.hpp"

namespace warpscope::plots {

/// Of fewer steps there is no histogram.
inline constexpr std::size_t kLeastInHistogram = 20;

/// The first table of steps and their durations as bars, if it has fewer than kLeastInHistogram rows, and its index.
struct StepBars {
  PlottedBars plotted;
  std::size_t table = 0;
};
[[nodiscard]] std::optional<StepBars> step_bars(const std::vector<Table>& tables, scene::Theme theme);

}  // namespace warpscope::plots
