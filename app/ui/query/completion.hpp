#pragma once
// Completion of SQL: tables, analyses, columns, functions and keywords that fit at the cursor.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/query/query_runner.hpp"

namespace warpscope::ui {

struct Completion {
  std::string text;  ///< as inserted
  std::string what;  ///< "column of slice", "table"
  std::string about;
};

struct Completions {
  std::size_t begin = 0;  ///< the items replace the text from here to the cursor
  std::vector<Completion> items;
};

/// Returns what fits before and at the cursor, the best first. `asked`: by the user, so that little typed text is
/// enough and a complete word is no reason to offer nothing.
[[nodiscard]] Completions completions_at(std::string_view sql, std::size_t cursor, std::span<const SchemaTable> schema,
                                         bool asked);

}  // namespace warpscope::ui
