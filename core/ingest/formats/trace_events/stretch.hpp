#pragma once
// Speculatively parses events ahead of the reader. Starts at the first plausible event in a piece of text and continues
// while only commas and white space separate the events. The result is what DocumentReader would produce if it reached
// that position; only the reader can confirm that it does.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/ingest/formats/trace_events/event_parser.hpp"
#include "core/ingest/json/text_source.hpp"

namespace warpscope::ingest::json {

/// A part of a document, held in memory.
struct PieceText {
  std::string_view text;     ///< followed by kPadding readable bytes without white space
  std::uint64_t offset = 0;  ///< of its first byte in the document
  std::uint64_t from = 0;    ///< looks for events that start in [from, to)
  std::uint64_t to = 0;
  bool final = false;  ///< the document ends with this text
};

/// Passes the events to `sink` and their problems to `diagnostics`. O(bytes).
[[nodiscard]] ParsedStretch parse_stretch(const PieceText& piece, EventParser& parser, EventSink& sink,
                                          Diagnostics& diagnostics, const std::string& file);

}  // namespace warpscope::ingest::json
