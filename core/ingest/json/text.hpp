#pragma once
// Decodes a trace's strings: resolves escapes and always produces valid UTF-8.
#include <span>
#include <string>
#include <string_view>

#include "core/ingest/json/notes.hpp"
#include "core/ingest/json/scratch.hpp"

namespace warpscope::ingest::json {

/// Decodes the text between the quotes of a JSON string. Keeps raw control characters and unknown escapes, including
/// the backslash. Replaces each maximal invalid UTF-8 sequence or lone surrogate with U+FFFD. Notes each case. Returns
/// a view into `scratch`, or `raw` itself if nothing needs decoding.
[[nodiscard]] std::string_view decode_string(std::string_view raw, Scratch& scratch, Notes& notes);

/// Returns `text` as one printable line of at most `limit` bytes of valid UTF-8; control characters become spaces.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t limit);

/// Same for data that may be binary: non-text bytes become \xNN, repeated ones "\xNN…".
[[nodiscard]] std::string readable(std::string_view text, std::size_t limit);

}  // namespace warpscope::ingest::json
