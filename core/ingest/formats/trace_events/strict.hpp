#pragma once
// The fast parser for one event: makes one pass over its text, accepts keys in any order, and copies only values that
// need decoding. Accepts only valid JSON, except that it notes arguments whose tokens are out of order. Gives up at the
// first other error, and repair.hpp parses the event again.
#include "core/ingest/formats/trace_events/event_fields.hpp"
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {

/// Parses the event at `at` ('{') into `event`, which must be default-constructed. The text ends at `end`, followed by
/// kPadding readable bytes. `final`: no text follows `end`. The result is complete only if a comma, a closing bracket
/// or the end of the final text follows the event; `next` is then after its closing brace. Appends to `scratch` and
/// `notes`. `any_arguments`: the last resort, accepts arguments with any printable text between their brackets.
[[nodiscard]] ValueScan parse_strict(const char* at, const char* end, bool final, RawEvent& event, Scratch& scratch,
                                     Notes& notes, bool any_arguments = false);

}  // namespace warpscope::ingest::json
