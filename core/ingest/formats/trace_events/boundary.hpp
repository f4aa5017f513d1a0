#pragma once
// Finds the start of the next event after corrupt text. Quotes may be missing or extra, so counting them does not help;
// instead, these functions search for text that almost always starts an event.
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {

struct EventStart {
  Scan status = Scan::damaged;  ///< complete: found; need_more: undecided at `at` because the text ends; damaged: none
  const char* at = nullptr;
};

/// Finds the first plausible event start in [from, end): a '{' that is not the value of a key and is followed by "ph"
/// or by text that parses as an event with a phase within 4 KiB. `context` ≤ `from`: start of the text that may be
/// inspected before `from`. O(bytes), except for text full of false starts, each of which costs up to 4 KiB.
[[nodiscard]] EventStart find_event_start(const char* context, const char* from, const char* end, bool final);

/// Returns whether the '{' at `brace` plausibly starts an event; see EventStart for the values.
[[nodiscard]] Scan event_start_at(const char* brace, const char* end, bool final);

/// Finds a ']' in [from, to) that ends the array of events, because it is followed by the end of the document or by a
/// key that Kineto writes after the events. The text extends to `end` ≥ `to`.
[[nodiscard]] EventStart find_array_end(const char* from, const char* to, const char* end, bool final);

/// Same, but requires that key after the ']', which is reliable even in a truncated document.
[[nodiscard]] EventStart find_array_end_by_key(const char* from, const char* to, const char* end, bool final);

/// Finds the opening quote of a top-level Kineto key in [from, end). A colon must follow the key.
[[nodiscard]] EventStart find_top_level_key(const char* from, const char* end, bool final);

/// Returns where in [from, end) text was overwritten: at the first of several control characters close together; `end`
/// if nowhere.
[[nodiscard]] const char* find_overwritten(const char* from, const char* end);

/// Returns true if `at`, just after an opening quote, is the start of a known event key followed by a closing quote and
/// a colon.
[[nodiscard]] bool is_event_key(const char* at, const char* end);

}  // namespace warpscope::ingest::json
