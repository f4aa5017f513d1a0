#pragma once
// What the bars of a chart are called: as little of a row as tells it from the others that are drawn. A bar has room
// for some thirty letters, of which kernels' names with their templates, the same rank in every row and columns that
// only repeat another would leave nothing.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope::plots {

/// "GPU 3", "stream 7", "rank 0": what a cell of a row's name is called; texts as they are.
[[nodiscard]] std::string word_of(const Column& column, const Cell& cell);

/// Of each of `rows`, no two alike: its rank where the table has several, the one or two texts and the identifiers in
/// front of the first figure that tell most rows apart; rows that still are alike have their time, else a number.
/// O(rows of the table · columns).
[[nodiscard]] std::vector<std::string> bar_labels(const Table& table, std::span<const std::uint32_t> rows);

}  // namespace warpscope::plots
