#pragma once
// Walks the members of a JSON object where a full parse would be wasteful: the "args" of events, which are mostly flat
// objects of strings and numbers, and the samples of system metrics.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest {

/// Bytes that end the plain part of a string: quotes, backslashes and, in strict JSON, control characters.
template <bool kStrict>
inline constexpr auto kEndsPlainText = [] {
  std::array<bool, 256> ends{};
  if (kStrict) std::fill_n(ends.begin(), 0x20, true);
  ends['"'] = ends['\\'] = true;
  return ends;
}();

/// Bytes that end a number or literal.
inline constexpr auto kEndsScalar = [] {
  std::array<bool, 256> ends{};
  for (const unsigned char c : {',', '}', ' ', '\t', '\n', '\r'}) ends[c] = true;
  return ends;
}();

/// Calls visit(key, value) for each member of the object `json` ("{…}"), with key and value as written, including
/// quotes. Stops at the first invalid JSON. Returns true if `json` consists entirely of such an object. `kStrict`: as
/// strict as JSON, except for escapes and UTF-8 in strings; otherwise, commas may be missing, values may be empty, and
/// strings may contain anything.
template <bool kStrict, class Visit>
bool for_each_member(std::string_view json, Visit visit) {
  const char* at = json.data();
  const char* const end = at + json.size();
  const auto next_is = [&](char c) { return at < end && *at == c; };
  // Inlined, because a call would usually cost more than the work itself.
  const auto skip_space = [&]() __attribute__((always_inline)) {
    while (at < end && json::is_space(*at)) ++at;
  };
  const auto take_string = [&]() __attribute__((always_inline)) {
    constexpr std::ptrdiff_t kBlock = 16;
    for (++at; at < end; ++at) {
      while (end - at >= kBlock) {
        const std::uint32_t stops = json::string_stops16(at);
        at += stops == 0 ? kBlock : std::countr_zero(stops);
        if (stops != 0) break;
      }
      if (at == end) return false;
      if (!kEndsPlainText<kStrict>[static_cast<unsigned char>(*at)]) continue;
      if (*at == '"') {
        ++at;
        return true;
      }
      if (*at != '\\' || ++at == end) return false;
    }
    return false;
  };
  [[maybe_unused]] std::conditional_t<kStrict, std::string, char> padded{};  // a copy for the scanner, once needed
  const auto take_nested = [&] {
    if constexpr (kStrict) {
      if (padded.empty()) padded.append(json).append(json::kPadding, '\0');
      const char* const first = padded.data() + (at - json.data());
      const json::ValueScan scan = json::scan_value(first, padded.data() + json.size());
      if (scan.status == json::Scan::complete) at += scan.next - first;
      return scan.status == json::Scan::complete;
    }
    for (int depth = 0; at < end;) {
      if (*at == '"') {
        if (!take_string()) return false;
        continue;
      }
      const char c = *at++;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return true;
    }
    return false;
  };
  const auto take_value = [&]() __attribute__((always_inline)) {
    if (at == end) return false;
    if (*at == '"') return take_string();
    if (*at == '{' || *at == '[') return take_nested();
    const char* const from = at;
    while (at < end && !kEndsScalar[static_cast<unsigned char>(*at)]) ++at;
    return !kStrict || json::is_scalar({from, static_cast<std::size_t>(at - from)});
  };

  skip_space();
  if (!next_is('{')) return false;
  ++at;
  for (bool first = true;; first = false) {
    skip_space();
    const bool comma = next_is(',');
    if (comma) {
      ++at;
      skip_space();
    }
    if (next_is('}') && !comma) break;
    if (kStrict && comma == first) return false;
    const char* from = at;
    if (!next_is('"') || !take_string()) return false;
    const std::string_view key(from, static_cast<std::size_t>(at - from));
    skip_space();
    if (!next_is(':')) return false;
    ++at;
    skip_space();
    from = at;
    if (!take_value()) return false;
    visit(key, std::string_view(from, static_cast<std::size_t>(at - from)));
  }
  ++at;
  skip_space();
  return at == end;
}

/// Calls visit(key, value) for each scalar member of the arguments `json`, without quotes and with escapes undecoded.
template <class Visit>
void for_each_argument(std::string_view json, Visit visit) {
  for_each_member<false>(json, [&](std::string_view key, std::string_view value) {
    if (value.starts_with('{') || value.starts_with('[')) return;
    if (value.starts_with('"')) value = {value.data() + 1, value.size() - 2};
    visit(std::string_view(key.data() + 1, key.size() - 2), value);
  });
}

/// Returns the value of the last scalar member named `key`, as above; "" if there is none.
[[nodiscard]] inline std::string_view argument(std::string_view json, std::string_view key) {
  std::string_view found;
  for_each_argument(json, [&](std::string_view name, std::string_view value) {
    if (name == key) found = value;
  });
  return found;
}

}  // namespace warpscope::ingest
