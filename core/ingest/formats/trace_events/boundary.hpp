#pragma once
// Where does the next event begin, if the text before it cannot be trusted? Quotes may be missing or too many, so
// nothing can be counted; what can be looked for is text that hardly anything but an event begins with.
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {

struct EventStart {
  Scan status = Scan::damaged;  ///< complete: found; need_more: undecided at `at`, the text ends; damaged: none
  const char* at = nullptr;
};

/// The first plausible event start in [from, end): a '{' that is no key's value and opens either with "ph" or what
/// parses as an event with a phase within 4 KiB. `context` ≤ `from`: where text that may be looked back at begins.
/// O(bytes) but for text full of false starts, each of which costs up to 4 KiB.
[[nodiscard]] EventStart find_event_start(const char* context, const char* from, const char* end, bool final);

/// A ']' in [from, to) that ends the array of events: the document's end follows it, or a key that Kineto writes behind
/// the events. The text reaches to `end` ≥ `to`. Same meaning of the result.
[[nodiscard]] EventStart find_array_end(const char* from, const char* to, const char* end, bool final);

/// The same with such a key only: certain even in a document that was cut off.
[[nodiscard]] EventStart find_array_end_by_key(const char* from, const char* to, const char* end, bool final);

/// A quote in [from, to) that begins a key Kineto writes behind the events. The text reaches to `end` ≥ `to`.
[[nodiscard]] EventStart find_key_behind_events(const char* from, const char* to, const char* end, bool final);

/// A quote in [from, end) that begins a key Kineto writes at the top level, colon included.
[[nodiscard]] EventStart find_top_level_key(const char* from, const char* end, bool final);

/// True if one of the keys that events have stands at `at` (after its opening quote), closing quote and colon included.
[[nodiscard]] bool is_event_key(const char* at, const char* end);

}  // namespace warpscope::ingest::json
