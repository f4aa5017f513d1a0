#pragma once
// JSON text without the white space, and mended where it is damaged: for showing nested arguments in a line, and for
// giving a real JSON parser text that it takes.
#include <cstdint>
#include <string>
#include <string_view>

namespace warpscope::ingest::json {

enum class Words : std::uint8_t {
  keep,     ///< as they are, inf and nan too: for people
  as_null,  ///< what JSON does not know becomes null: for parsers
};

/// Leaves out white space between the tokens of `json` (but sets one space behind commas and colons for people), commas
/// before closing brackets and superfluous closing brackets, closes what is open at the end, and makes strings valid.
[[nodiscard]] std::string compact_json(std::string_view json, Words words);

}  // namespace warpscope::ingest::json
