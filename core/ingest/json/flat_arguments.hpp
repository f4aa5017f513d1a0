#pragma once
// Scans an event's "args" where a full parse would be wasteful: counters and names, which are flat objects of strings
// and numbers. Skips nested values.
#include <cstddef>
#include <string_view>

namespace warpscope::ingest {

/// Calls visit(key, value) for each scalar member of the object `json` ("{…}"), value without quotes and with escapes
/// undecoded. Stops at the first invalid JSON.
template <class Visit>
void for_each_argument(std::string_view json, Visit visit) {
  std::size_t at = 0;
  const auto skip_space = [&] {
    while (at < json.size() && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) ++at;
  };
  const auto take_string = [&](std::string_view& text) {
    const std::size_t from = ++at;
    while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
    if (at >= json.size()) return false;
    text = json.substr(from, at++ - from);
    return true;
  };
  const auto skip_nested = [&] {
    int depth = 0;
    std::string_view ignored;
    while (at < json.size()) {
      const char c = json[at];
      if (c == '"') {
        if (!take_string(ignored)) return false;
        continue;
      }
      ++at;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return true;
    }
    return false;
  };

  skip_space();
  if (at >= json.size() || json[at] != '{') return;
  ++at;
  for (;;) {
    skip_space();
    if (at < json.size() && json[at] == ',') {
      ++at;
      skip_space();
    }
    std::string_view key;
    if (at >= json.size() || json[at] != '"' || !take_string(key)) return;
    skip_space();
    if (at >= json.size() || json[at] != ':') return;
    ++at;
    skip_space();
    if (at >= json.size()) return;
    std::string_view value;
    if (json[at] == '"') {
      if (!take_string(value)) return;
    } else if (json[at] == '{' || json[at] == '[') {
      if (!skip_nested()) return;
      continue;
    } else {
      const std::size_t from = at;
      while (at < json.size() && json[at] != ',' && json[at] != '}' && json[at] != ' ' && json[at] != '\n' &&
             json[at] != '\r' && json[at] != '\t')
        ++at;
      value = json.substr(from, at - from);
    }
    visit(key, value);
  }
}

/// Returns the value of the last scalar member called `key`, as above; "" if there is none.
[[nodiscard]] inline std::string_view argument(std::string_view json, std::string_view key) {
  std::string_view found;
  for_each_argument(json, [&](std::string_view name, std::string_view value) {
    if (name == key) found = value;
  });
  return found;
}

}  // namespace warpscope::ingest
