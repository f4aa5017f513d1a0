#pragma once
// Adapts text written for the command line to the Analysis page.
#include <string>
#include <string_view>

#include "core/base/table.hpp"

namespace warpscope::ui {

/// Replaces command-line flags in a table's note with the page's fields: "--set side=cpu" becomes "“side” above set to
/// “cpu”".
[[nodiscard]] std::string note_on_page(std::string_view note);

/// Formats a row's non-empty text cells, except its name, as tooltip lines: "First run: gemm".
[[nodiscard]] std::string row_texts(const Table& table, std::size_t row);

}  // namespace warpscope::ui
