#pragma once
// Where the values stand in an event's text. No parser: any bytes will do, and what does not look like `"key": value`
// counts as text between values. O(length).
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpscope::store {

enum class ValueKind : std::uint8_t {
  number,  ///< digits, perhaps with a sign and decimals; quotes around it are not part of it
  text,    ///< what stands between the quotes of a string, escapes and all; or an array, brackets included
};

struct EventValue {
  std::string_view key;  ///< as it stands in the source, without its quotes
  std::string_view text;
  ValueKind kind = ValueKind::text;
};

/// More values of one event than this count as text.
inline constexpr std::size_t kMostValues = 1024;

/// Sets `values` to the values in `text`, in order.
void find_values(std::string_view text, std::vector<EventValue>& values);

}  // namespace warpscope::store
