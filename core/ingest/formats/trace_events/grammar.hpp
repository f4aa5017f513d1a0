#pragma once
// Is a long object that opens like an event, and holds what looks like events, one object all the same? Where quotes or
// brackets are missing, what follows stands in places where JSON has no such thing, and mostly at once: an object where
// a key has to be, a bracket of the wrong kind, a word. So as long as the grammar holds, the object is what it seems.
//
// Idea: one pass with a bit for each open bracket. What does not move the structure is not looked at: the text of
// strings, and the spelling of numbers and words. O(bytes).
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {

/// Follows the grammar of the object or array at `at`. complete: `next` is after its closing bracket; need_more: sound
/// up to `end`; damaged: `next` stands where it cannot.
[[nodiscard]] ValueScan follow_grammar(const char* at, const char* end);

}  // namespace warpscope::ingest::json
