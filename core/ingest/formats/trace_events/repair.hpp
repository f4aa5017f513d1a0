#pragma once
// Parses one corrupt event. Separates its fields based on what plausibly follows each field, rather than by counting
// quotes and brackets.
//
// Idea: Kineto wrote names without escaping them, so a quote inside a name looks like its end. But the real end of a
// name is followed by a comma and a known event key, or by the end of the event, and an event ends where the next event
// starts. Inside args, where keys are arbitrary, a string ends before a comma and a plausible key, or before plausible
// closing brackets. O(length of the event) for typical corruption.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ingest/events/raw_event.hpp"
#include "core/ingest/json/notes.hpp"
#include "core/ingest/json/scratch.hpp"

namespace warpscope::ingest::json {

/// The boundary that ends the text of a corrupt event.
enum class Bound : std::uint8_t {
  known,        ///< the '{' of another event, or the ']' that closes the array of events
  text_end,     ///< nothing: end of the document
  limit,        ///< unknown: the search stopped there
  overwritten,  ///< the rest of the event was overwritten, see find_overwritten
};

struct Region {
  const char* begin = nullptr;  ///< the event's '{'
  const char* end = nullptr;
  Bound bound = Bound::limit;
};

/// An object member as written in the source: the key without quotes, string values with quotes.
struct RawField {
  std::string_view key;
  std::string_view value;
};

enum class EventStatus : std::uint8_t {
  complete,
  need_more,   ///< more text is needed to decide
  truncated,   ///< the document ends inside the event
  unreadable,  ///< no event could be recovered
};

struct EventOutcome {
  EventStatus status = EventStatus::unreadable;
  const char* next = nullptr;  ///< after the event, if complete
};

/// Splits the corrupt event in `region` into its members, in order.
[[nodiscard]] EventOutcome split_damaged_event(const Region& region, std::vector<RawField>& fields, Notes& notes);

/// Same for the corrupt object `text`, which starts with '{' and may lack a closing brace.
void split_damaged_object(std::string_view text, std::vector<RawField>& fields, Notes& notes);

/// Returns the best guess for the position after the corrupt value at `at` (not `end`), a member of an object that ends
/// at `end`.
[[nodiscard]] const char* skip_damaged_value(const char* at, const char* end, Notes& notes);

/// Splits the corrupt event in `region` and reads its fields into `event`, which must be default-constructed.
[[nodiscard]] EventOutcome repair_event(const Region& region, RawEvent& event, Scratch& scratch, Notes& notes);

}  // namespace warpscope::ingest::json
