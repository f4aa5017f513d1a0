#pragma once
// Strings of a trace as text: escapes resolved, valid UTF-8, whatever stood in the file.
#include <span>
#include <string>
#include <string_view>

#include "core/ingest/json/notes.hpp"
#include "core/ingest/json/scratch.hpp"

namespace warpscope::ingest::json {

/// Decodes what stands between the quotes of a JSON string. Escapes that JSON does not know keep their backslash, raw
/// control characters stay, and each longest invalid piece of UTF-8 (lone surrogates too) becomes U+FFFD; each is
/// noted. The result lies in `scratch` or, if there was nothing to decode, is `raw` itself.
[[nodiscard]] std::string_view decode_string(std::string_view raw, Scratch& scratch, Notes& notes);

/// `text` as one line of at most `limit` bytes of valid UTF-8 to be shown: control characters become spaces.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t limit);

/// The same of text that may not be any: bytes that are none are shown as \xNN, the same one many times as "\xNN…".
[[nodiscard]] std::string readable(std::string_view text, std::size_t limit);

}  // namespace warpscope::ingest::json
