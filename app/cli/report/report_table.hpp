#pragma once
// Writes a table as HTML in the style of the window's tables: numbers are right-aligned with units, and long tables are
// truncated with a note.
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/table.hpp"

namespace warpscope::cli {

/// Escapes `text` for HTML; text wider than `width` columns (0: no limit) is shortened in the middle.
[[nodiscard]] std::string html(std::string_view text, std::size_t width = 0);

/// Appends the table with its title as <h3> and its note. Writes at most `rows` rows (0: all), plus the total row
/// count.
void write_html(std::string& out, const Table& table, std::size_t rows);

}  // namespace warpscope::cli
