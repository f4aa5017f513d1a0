#pragma once
// Finds the values in an event's text. Not a parser: accepts any bytes, and everything that does not look like `"key":
// value` is text between values. O(length).
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpscope::store {

enum class ValueKind : std::uint8_t {
  number,  ///< digits with optional sign and decimals, without any quotes
  text,    ///< text between the quotes of a string, with escapes; or an array with its brackets
};

struct EventValue {
  std::string_view key;  ///< as in the source, without quotes
  std::string_view text;
  ValueKind kind = ValueKind::text;
};

/// Further values of an event count as text.
inline constexpr std::size_t kMostValues = 1024;

/// Sets `values` to the values in `text`, in order.
void find_values(std::string_view text, std::vector<EventValue>& values);

}  // namespace warpscope::store
