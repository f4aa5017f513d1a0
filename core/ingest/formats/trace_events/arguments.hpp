#pragma once
// Converts an event's text to rows. Arguments are read again from the source on demand, because storing all of them
// would take many times the memory of the slices, and few are ever viewed.
#include <string_view>

#include "core/ingest/format/event_text.hpp"

namespace warpscope::ingest {

/// Returns an event's `wanted` rows from its text alone, which starts with '{'. TraceEventsFormat::read_events()
/// returns the same rows for the event in its file. `repaired`: the text is not valid JSON.
[[nodiscard]] EventText event_text_of(std::string_view text, bool repaired, WantedRows wanted = {});

}  // namespace warpscope::ingest
