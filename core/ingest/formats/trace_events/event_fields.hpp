#pragma once
// The event fields that Warpscope interprets, and functions to read their values. Shared by the strict parser, which
// reads values in place, and the repairing parser, which separates the fields first.
#include <cstdint>
#include <string_view>

#include "core/ingest/events/raw_event.hpp"
#include "core/ingest/json/notes.hpp"
#include "core/ingest/json/scratch.hpp"

namespace warpscope::ingest::json {

enum class Key : std::uint8_t { other, phase, name, category, process, thread, time, duration, id, arguments };

struct KeyMatch {
  Key key = Key::other;
  std::uint8_t length = 0;
};

/// Matches a key and its closing quote; `other` has length 0. `at`: the position after the key's opening quote; 8 bytes
/// must be readable there.
[[nodiscard]] inline KeyMatch match_key(const char* at) {
  switch (at[0]) {
    case 'p':
      if (at[1] == 'h' && at[2] == '"') return {Key::phase, 2};
      if (at[1] == 'i' && at[2] == 'd' && at[3] == '"') return {Key::process, 3};
      break;
    case 't':
      if (at[1] == 's' && at[2] == '"') return {Key::time, 2};
      if (at[1] == 'i' && at[2] == 'd' && at[3] == '"') return {Key::thread, 3};
      break;
    case 'n':
      if (at[1] == 'a' && at[2] == 'm' && at[3] == 'e' && at[4] == '"') return {Key::name, 4};
      break;
    case 'c':
      if (at[1] == 'a' && at[2] == 't' && at[3] == '"') return {Key::category, 3};
      break;
    case 'd':
      if (at[1] == 'u' && at[2] == 'r' && at[3] == '"') return {Key::duration, 3};
      break;
    case 'i':
      if (at[1] == 'd' && at[2] == '"') return {Key::id, 2};
      break;
    case 'a':
      if (at[1] == 'r' && at[2] == 'g' && at[3] == 's' && at[4] == '"') return {Key::arguments, 4};
      break;
    default:
      break;
  }
  return {};
}

/// Returns true if the event may be a launch or GPU activity, for which args.correlation is meaningful: complete events
/// except those in host-only categories. Also true if the phase or category is not yet known.
[[nodiscard]] bool wants_correlation(const RawEvent& event);

/// Sets a field from its value as written in the source (strings include quotes and may have any content). Notes
/// unreadable values. Does not support Key::arguments and Key::other.
void set_field(RawEvent& event, Key key, std::string_view value, Scratch& scratch, Notes& notes);

/// Sets args.correlation from its value as written in the source.
void set_correlation(RawEvent& event, std::string_view value, Notes& notes);

}  // namespace warpscope::ingest::json
