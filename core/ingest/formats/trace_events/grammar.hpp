#pragma once
// Decides whether a long object that starts like an event and seems to contain events is really one object. If quotes
// or brackets are missing, the text soon violates the grammar of JSON: an object in the place of a key, a bracket of
// the wrong kind, a word. While the grammar holds, the object is what it seems.
//
// Idea: one pass with a bit for each open bracket. Ignores what does not affect the structure: the text of strings, and
// the spelling of numbers and words. O(bytes).
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {

/// Checks the grammar of the object or array at `at`. complete: `next` is after its closing bracket; need_more: valid
/// up to `end`; damaged: `next` is at the violation.
[[nodiscard]] ValueScan follow_grammar(const char* at, const char* end);

}  // namespace warpscope::ingest::json
