#pragma once
// Which rows of a table are drawn as bars, in which order: the greatest first where rows are found by their worth, as
// they are where they have an order of their own, as ranks and kinds of activity do, and are few. What is left over stays last.
#include <cstdint>
#include <optional>
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
  std::vector<std::uint32_t> rows;  ///< of the table, at most kMostBars
  bool sorted = false;              ///< by `figure`, the greatest first
};
/// O(rows · log kMostBars).
[[nodiscard]] BarRows bar_rows(std::string_view analysis, const Table& table, std::size_t figure);

}  // namespace warpscope::plots
