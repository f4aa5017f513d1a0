#pragma once
// Formats table values for display, with one unit per column, shown in the header. Shared by table views and the text
// and Markdown writers, so pages and the command line show the same values.
//
// A column uses the largest unit (ns, µs, ms, s; B, KiB, …) in which more than half of the nonzero values are at least
// 0.1, so a few long slices do not reduce all others to 0.000.
#include <cstdint>
#include <string>

#include "core/base/table.hpp"

namespace warpscope {

struct ColumnFormat {
  ColumnKind kind = ColumnKind::text;
  std::string unit;                ///< for the header; "": none
  double divisor = 1;              ///< exact value / divisor = displayed value
  std::int64_t divisor_exact = 1;  ///< the same as an integer
  int decimals = 0;
  bool scientific = false;  ///< for very small or very large values
};

/// Chooses a column's unit and number of decimal places. O(rows).
[[nodiscard]] ColumnFormat choose_format(const Table& table, std::size_t column);

/// Returns "name (unit)", or "name" if there is no unit.
[[nodiscard]] std::string header_text(const Column& column, std::string_view unit);

/// Formats a cell without unit or padding; kNoFigure if missing. Text is returned unchanged, including control
/// characters.
[[nodiscard]] std::string format_cell(const ColumnFormat& format, const Cell& cell);

}  // namespace warpscope
