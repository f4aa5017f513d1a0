#pragma once
// A table as HTML: as the window shows it, figures aligned right under their unit, long ones cut and saying so.
#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/table.hpp"

namespace warpscope::cli {

/// `text` as HTML shows it; what is wider than `width` columns (0: no limit) loses its middle.
[[nodiscard]] std::string html(std::string_view text, std::size_t width = 0);

/// Appends the table with its title as a heading of the third order and its note; of more than `rows` (0: all of them)
/// the first ones, and how many there are.
void write_html(std::string& out, const Table& table, std::size_t rows);

}  // namespace warpscope::cli
