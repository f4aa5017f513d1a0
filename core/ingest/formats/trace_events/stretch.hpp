#pragma once
// Events parsed ahead of the reader: from the first place in a piece of text where an event plausibly begins, one after
// the other as long as nothing stands between them but commas. What comes out is what DocumentReader would make of the
// same text if it came to that place; whether it does, it alone can tell.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ingest/formats/trace_events/event_parser.hpp"

namespace warpscope::ingest::json {

/// A part of a document in memory.
struct PieceText {
  std::string_view text;     ///< kPadding readable bytes behind that are no white space
  std::uint64_t offset = 0;  ///< of its first byte in the document
  std::uint64_t from = 0;    ///< events that begin in [from, to) are looked for
  std::uint64_t to = 0;
  bool final = false;  ///< the document ends with it
};

struct ParsedStretch {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< behind its last event; begin if there is none
  bool comma = false;     ///< what stands there follows as if a comma stood before it
  std::uint64_t events = 0;
};

/// Hands the events to `sink`, what is odd about them to `diagnostics`. O(bytes).
[[nodiscard]] ParsedStretch parse_stretch(const PieceText& piece, EventParser& parser, EventSink& sink,
                                          Diagnostics& diagnostics, const std::string& file);

}  // namespace warpscope::ingest::json
