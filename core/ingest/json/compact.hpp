#pragma once
// Removes white space from JSON text and repairs it, to show nested arguments on one line and to make the text
// acceptable to standard JSON parsers.
#include <cstdint>
#include <string>
#include <string_view>

namespace warpscope::ingest::json {

enum class Words : std::uint8_t {
  keep,     ///< unchanged, including inf and nan: for people
  as_null,  ///< words that are not JSON become null: for parsers
};

/// Removes white space between the tokens of `json` and commas before closing brackets, and makes strings valid.
/// Words::keep also puts one space after commas and colons.
[[nodiscard]] std::string compact_json(std::string_view json, Words words);

}  // namespace warpscope::ingest::json
