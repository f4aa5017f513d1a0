#include "core/ingest/kineto/stretch.hpp"

#include "core/ingest/kineto/boundary.hpp"
#include "core/ingest/kineto/document.hpp"

namespace warpscope::ingest::kineto {

ParsedStretch parse_stretch(const PieceText& piece, EventParser& parser, EventSink& sink, Diagnostics& diagnostics,
                            const std::string& file) {
  const char* const begin = piece.text.data();
  const char* const end = begin + piece.text.size();
  const auto at_offset = [&](std::uint64_t offset) { return begin + (offset - piece.offset); };
  const char* const limit = at_offset(piece.to);
  const EventStart start = find_event_start(begin, at_offset(piece.from), end, piece.final);
  if (start.status != Scan::complete || start.at >= limit) return {piece.to, piece.to};

  ParsedStretch stretch;
  stretch.begin = stretch.end = piece.offset + static_cast<std::uint64_t>(start.at - begin);
  for (const char* at = start.at; at < limit;) {
    const EventParser::Outcome parsed = parser.parse(at, end, piece.final);
    if (parsed.status != EventParser::Status::complete || parser.was_dear()) break;
    const Notes& notes = parser.notes();
    if (!notes.empty()) {
      if (!piece.final && end - parsed.next < static_cast<std::ptrdiff_t>(kExampleLength)) break;
      notes.for_each([&](Oddity oddity, const char* where, std::uint64_t count) {
        const OddityKind kind = kind_of(oddity);
        report_oddity(diagnostics, file, kind.code, kind.severity, piece.text, piece.offset, where, count);
      });
    }
    RawEvent& event = parser.event();
    event.offset = piece.offset + static_cast<std::uint64_t>(at - begin);
    sink.event(event);
    ++stretch.events;
    stretch.end = piece.offset + static_cast<std::uint64_t>(parsed.next - begin);
    stretch.comma = *parsed.next == '{' && notes.has(Oddity::missing_bracket);

    at = skip_space(parsed.next);
    if (!stretch.comma) {
      if (*at != ',') break;
      at = skip_space(at + 1);
    }
    if (*at != '{' || at >= end) break;
  }
  return stretch;
}

}  // namespace warpscope::ingest::kineto
