#pragma once
// Creates stacked bars from a table. The parts of a bar come from either columns or several rows, such as the idle
// causes of each stream and rank.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "core/base/table.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope::plots {

/// Marks an item without a table row: its bar lacks this part.
inline constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

/// A bar chart, and the table row of each of its items (item = row × number of parts + part).
struct PlottedBars {
  charts::StackedBars bars;
  std::vector<std::uint32_t> rows{};
  std::vector<std::uint32_t> order{};  ///< all rows of the table, in bar order; empty: the table's own order
};

/// Creates the bars of a chart of kind `columns` or `rows`; returns nullopt for other kinds. `order`: order of the
/// rows, if the user sorted them; bars are then in the order of their first rows. O(rows · log rows).
[[nodiscard]] std::optional<PlottedBars> part_bars(const analysis::ChartSpec& chart, const Table& table,
                                                   scene::Theme theme, std::span<const std::uint32_t> order = {});

}  // namespace warpscope::plots
