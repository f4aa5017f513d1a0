#pragma once
// The patient way through one damaged event: cuts out its fields by what plausibly follows each of them instead of by
// counting quotes and brackets.
//
// Idea: kineto wrote names without escaping them, so a quote inside a name looks like its end. But a name's real end is
// followed by a comma and one of the keys events have, or by the end of the event, and the event ends where the next
// one begins; inside args, where keys are free, a string ends where a comma and something like a key follow, or
// brackets that make sense. O(length of the event) for usual damage.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ingest/events/raw_event.hpp"
#include "core/ingest/json/notes.hpp"
#include "core/ingest/json/scratch.hpp"

namespace warpscope::ingest::json {

/// What lies at the end of the text that a damaged event can have.
enum class Bound : std::uint8_t {
  known,     ///< the '{' of another event, or the ']' that closes the array of events
  text_end,  ///< nothing: the document ends
  limit,     ///< unknown: the search was given up there
};

struct Region {
  const char* begin = nullptr;  ///< the event's '{'
  const char* end = nullptr;
  Bound bound = Bound::limit;
};

/// A member of an object as it stands in the source: the key without its quotes, a string value with them.
struct RawField {
  std::string_view key;
  std::string_view value;
};

enum class RepairStatus : std::uint8_t {
  complete,
  truncated,   ///< the document ends inside the event
  unreadable,  ///< no event could be made of it
};

struct Repair {
  RepairStatus status = RepairStatus::unreadable;
  const char* next = nullptr;  ///< after the event, if complete
  /// Where something was written over it that reads like a text of it, or null: behind that stands another event's end.
  const char* written_over = nullptr;
};

/// Cuts the members out of the damaged event in `region`, in their order.
[[nodiscard]] Repair split_damaged_event(const Region& region, std::vector<RawField>& fields, Notes& notes);

/// The same for the damaged object `text` ('{' first), whose closing bracket may be missing.
void split_damaged_object(std::string_view text, std::vector<RawField>& fields, Notes& notes);

/// After the damaged value at `at` (not `end`), as far as it can be told; a member of an object that ends at `end`.
[[nodiscard]] const char* skip_damaged_value(const char* at, const char* end, Notes& notes);

/// Cuts the damaged event in `region` out and reads its fields into `event` (fresh).
[[nodiscard]] Repair repair_event(const Region& region, RawEvent& event, Scratch& scratch, Notes& notes);

}  // namespace warpscope::ingest::json
