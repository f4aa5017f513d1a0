#pragma once
// Bars of parts of a whole, one bar for each thing that has them: parts that are columns of a table, and parts that are
// rows of it, as "why" of each stream and rank.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope::plots {

/// Of an item that no row stands for: a part that a bar has none of.
inline constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

/// A chart of bars, and which row of the table each of its items (row · parts + part) stands for.
struct PlottedBars {
  charts::StackedBars bars;
  std::vector<std::uint32_t> rows{};
};

/// Of the tables that are known to have parts; nothing for others. O(rows).
[[nodiscard]] std::optional<PlottedBars> part_bars(std::string_view analysis, const Table& table, scene::Theme theme);

}  // namespace warpscope::plots
