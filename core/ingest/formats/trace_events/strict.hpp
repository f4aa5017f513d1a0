#pragma once
// The fast way through one event: one pass over its text, keys in any order, nothing copied that needs no decoding.
// Takes valid JSON only; the first thing that is not makes it give up, and repair.hpp looks at the event again. Inside
// of args it looks no closer than scan_nested does.
#include "core/ingest/formats/trace_events/event_fields.hpp"
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {

struct StrictParse {
  Scan status = Scan::damaged;
  const char* next = nullptr;  ///< after the event's closing brace, if complete
};

/// Parses the event at `at` ('{') into `event` (fresh), in text that ends at `end` with kPadding readable bytes behind.
/// `final`: no text follows `end`. Complete means that a comma or a closing bracket follows the event as well, or the
/// end of final text. `scratch` and `notes` are added to.
[[nodiscard]] StrictParse parse_strict(const char* at, const char* end, bool final, RawEvent& event, Scratch& scratch,
                                       Notes& notes);

}  // namespace warpscope::ingest::json
