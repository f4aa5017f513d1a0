#pragma once
// Which rows of a table are drawn as bars, and the order that chart and table share: the greatest first where rows are
// found by their worth, as they are where they have an order of their own, as ranks and kinds of activity do, and are
// few; or the order that the user gave the table. The row of the others stays last.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope::plots {

/// Bars that a chart takes: more have no room on any screen.
inline constexpr std::size_t kMostBars = 64;
/// Of more the greatest come first, whatever order they have: not all may have room.
inline constexpr std::size_t kMostInOrder = 16;

/// The column that bars are as long as: time before shares before means before anything that is counted.
[[nodiscard]] std::optional<std::size_t> figure_of(const Table& table);

struct BarRows {
  std::vector<std::uint32_t> rows;   ///< of the table, at most kMostBars
  std::vector<std::uint32_t> order;  ///< of all rows of the table, which begins with `rows`; empty: the table's own
  bool sorted = false;               ///< by `figure`, the greatest first
  bool rest_last = false;            ///< and the others, which are more, behind them
};
/// `order`: the order of the rows, if the user chose one. O(rows · log rows).
[[nodiscard]] BarRows bar_rows(const Table& table, std::size_t figure, std::span<const std::uint32_t> order = {});

/// What a chart's title says of that order: ", greatest first", or nothing.
[[nodiscard]] std::string order_words(const BarRows& chosen);

}  // namespace warpscope::plots
