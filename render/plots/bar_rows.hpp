#pragma once
// Chooses which table rows to draw as bars, and the order shared by chart and table. Rows are sorted by value, largest
// first, unless the user sorted the table, or it has only a few rows and they have a natural order, as ranks and
// activities do. The row "others" stays last.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope::plots {

/// Maximum number of bars in a chart; more would not fit on any screen.
inline constexpr std::size_t kMostBars = 64;
/// Tables with more rows are sorted by value even if they have a natural order, because not all rows may fit.
inline constexpr std::size_t kMostInOrder = 16;

/// Returns the maximum number of bars to create for a table: kMostBars, or all rows if there is one row per rank
/// (rank_heat.hpp).
[[nodiscard]] std::size_t most_bars(const Table& table);

/// Returns the column that determines the length of the bars: a time column if present, otherwise shares, means or
/// counts.
[[nodiscard]] std::optional<std::size_t> figure_of(const Table& table);

struct BarRows {
  std::vector<std::uint32_t> rows;   ///< rows of the table, at most most_bars()
  std::vector<std::uint32_t> order;  ///< all rows of the table, starting with `rows`; empty: the table's own order
  bool sorted = false;               ///< rows are sorted by `figure`, largest first
  bool rest_last = false;            ///< followed by the row "others", which is larger
};
/// Selects the rows to draw. `order` is the row order chosen by the user, if any. O(rows · log rows).
[[nodiscard]] BarRows bar_rows(const Table& table, std::size_t figure, std::span<const std::uint32_t> order = {});

/// Returns the suffix of a chart title that describes the order: ", largest first" or "".
[[nodiscard]] std::string order_words(const BarRows& chosen);

}  // namespace warpscope::plots
