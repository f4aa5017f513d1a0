#pragma once
// Bars of parts of a whole, one bar for each thing that has them: parts that are columns of a table, and parts that are
// rows of it, as "why" of each stream and rank.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope::plots {

/// Of an item that no row stands for: a part that a bar has none of.
inline constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

/// A chart of bars, and which row of the table each of its items (row · parts + part) stands for.
struct PlottedBars {
  charts::StackedBars bars;
  std::vector<std::uint32_t> rows{};
  std::vector<std::uint32_t> order{};  ///< of all rows of the table, as the bars have them; empty: the table's own
};

/// Bars of a chart of kind columns or rows; nothing for others. `order`: of the rows, if the user chose one; bars come
/// in the order of their first rows. O(rows · log rows).
[[nodiscard]] std::optional<PlottedBars> part_bars(const analysis::ChartSpec& chart, const Table& table,
                                                   scene::Theme theme, std::span<const std::uint32_t> order = {});

}  // namespace warpscope::plots
