#pragma once
// What the Analysis page says with words that were made for the command line too.
#include <string>
#include <string_view>

#include "core/base/table.hpp"

namespace warpscope::ui {

/// A note of a table, in which flags are the fields of this page: "--set side=cpu" becomes "“side” above set to “cpu”".
[[nodiscard]] std::string note_on_page(std::string_view note);

/// What a row says in texts beside its name, as lines of a tooltip: "First run: gemm". Empty ones are left out.
[[nodiscard]] std::string row_texts(const Table& table, std::size_t row);

}  // namespace warpscope::ui
