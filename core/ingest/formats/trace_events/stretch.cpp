#include "core/ingest/formats/trace_events/stretch.hpp"

#include <cstring>

#include "core/ingest/formats/trace_events/boundary.hpp"
#include "core/ingest/formats/trace_events/document.hpp"

namespace warpscope::ingest::json {
namespace {

/// The text between two events, up to and including the opening bracket of the second. It rarely changes within a file,
/// so one eight-byte comparison finds the next event.
class Gap {
 public:
  Gap() = default;
  Gap(const char* from, const char* to) {
    if (to - from + 1 > static_cast<std::ptrdiff_t>(sizeof text_)) return;
    length_ = to - from;
    mask_ = ~std::uint64_t{0} >> (8 * (sizeof text_ - 1 - static_cast<std::size_t>(length_)));
    std::memcpy(&text_, from, sizeof text_);
  }
  /// Never true past the end of the text, because the padding has no bracket.
  [[nodiscard]] bool is_at(const char* at) const {
    std::uint64_t text = 0;
    std::memcpy(&text, at, sizeof text);
    return ((text ^ text_) & mask_) == 0 && mask_ != 0;
  }
  [[nodiscard]] std::ptrdiff_t length() const { return length_; }

 private:
  std::uint64_t text_ = 0;
  std::uint64_t mask_ = 0;
  std::ptrdiff_t length_ = 0;
};

}  // namespace

ParsedStretch parse_stretch(const PieceText& piece, EventParser& parser, EventSink& sink, Diagnostics& diagnostics,
                            const std::string& file) {
  const char* const begin = piece.text.data();
  const char* const end = begin + piece.text.size();
  const auto at_offset = [&](std::uint64_t offset) { return begin + (offset - piece.offset); };
  const char* const limit = at_offset(piece.to);
  const EventStart start = find_event_start(begin, at_offset(piece.from), end, piece.final);
  if (start.status != Scan::complete || start.at >= limit) return {piece.to, piece.to};

  ParsedStretch stretch;
  stretch.begin = piece.offset + static_cast<std::uint64_t>(start.at - begin);
  const char* stretch_end = start.at;
  Gap gap;
  for (const char* at = start.at; at < limit;) {
    const EventParser::Outcome parsed = parser.parse(at, end, piece.final);
    if (parsed.status != EventParser::Status::complete || parser.was_dear()) break;
    if (const Notes& notes = parser.notes(); !notes.empty()) [[unlikely]] {
      if (!piece.final && end - parsed.next < static_cast<std::ptrdiff_t>(kExampleLength)) break;
      notes.for_each([&](Oddity oddity, const char* where) {
        const OddityKind kind = kind_of(oddity);
        report_oddity(diagnostics, file, kind.code, kind.severity, piece.text, piece.offset, where);
      });
    }
    RawEvent& event = parser.event();
    event.offset = piece.offset + static_cast<std::uint64_t>(at - begin);
    sink.event(event);
    ++stretch.events;
    stretch_end = parsed.next;

    if (gap.is_at(parsed.next)) [[likely]] {
      at = parsed.next + gap.length();
      continue;
    }
    at = skip_space(parsed.next);
    if (*at != ',') break;
    at = skip_space(at + 1);
    if (*at != '{' || at >= end) break;
    gap = Gap(parsed.next, at);
  }
  stretch.end = piece.offset + static_cast<std::uint64_t>(stretch_end - begin);
  return stretch;
}

}  // namespace warpscope::ingest::json
