#pragma once
// Labels the bars of a chart with the shortest text that distinguishes the drawn rows. A label has room for about
// thirty characters, so long template names are shortened. Omits redundant columns, and the rank if it is the same in
// all rows.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope::plots {

/// Formats a cell that is part of a row's name: "GPU 3", "stream 7", "rank 0". Returns text unchanged.
[[nodiscard]] std::string word_of(const Column& column, const Cell& cell);

/// Returns a unique label for each of `rows`. Labels include the rank if the table has several ranks. They also include
/// the one or two text columns, and the identifiers before the first number, that distinguish the most rows. If labels
/// are still equal, adds the row's time and, if necessary, a number. O(rows of the table · columns).
[[nodiscard]] std::vector<std::string> bar_labels(const Table& table, std::span<const std::uint32_t> rows);

}  // namespace warpscope::plots
