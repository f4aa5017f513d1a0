#include "core/ingest/formats/trace_events/document.hpp"

#include <algorithm>
#include <string>

#include "core/ingest/bytes/content_kind.hpp"
#include "core/ingest/json/scan.hpp"
#include "core/ingest/json/text.hpp"

namespace warpscope::ingest::json {
DocumentReader::DocumentReader(TextSource& source, EventSink& sink, Diagnostics& diagnostics, const std::string& file,
                               ParsedAhead* ahead, const CancelToken* cancel, const ParseLimits& limits,
                               ArgumentCheck check)
    : sink_(sink),
      diagnostics_(diagnostics),
      file_(file),
      ahead_(ahead),
      cancel_(cancel),
      window_(source, limits.block, limits.longest_event),
      parser_(skeleton_matcher(), check == ArgumentCheck::all),
      at_(window_.begin()) {}

ParseOutcome DocumentReader::run() {
  read_document();
  if (outcome_.shape == ParseOutcome::Shape::trace) drain();
  outcome_.text_bytes = window_.offset_of(end());
  if (outcome_.cancelled) return outcome_;
  outcome_.failure = window_.failure();
  return outcome_;
}

/// Reads more text after at_. Returns false if there is none: the text has become final, the limit is reached
/// (too_long_), or the work was cancelled.
bool DocumentReader::grow() {
  const TextWindow::Growth growth = window_.grow(at_);
  too_long_ = growth == TextWindow::Growth::too_long;
  outcome_.cancelled = cancel_ != nullptr && cancel_->cancelled();
  return growth == TextWindow::Growth::more && !outcome_.cancelled;
}

/// Skips white space and returns the next byte, or kEnd.
int DocumentReader::token() {
  for (;;) {
    at_ = skip_space(at_);
    if (at_ < end()) return static_cast<unsigned char>(*at_);
    at_ = end();
    if (!grow()) return kEnd;
  }
}

/// Returns the first byte at or after at_ + skip that is not white space, or kEnd; does not move at_.
int DocumentReader::peek(std::ptrdiff_t skip) {
  for (;;) {
    const char* const next = skip_space(at_ + skip);
    if (next < end()) return static_cast<unsigned char>(*next);
    if (!grow()) return kEnd;
  }
}

/// Returns up to `length` bytes of text starting at at_, regardless of how much is in memory.
std::string_view DocumentReader::head(std::ptrdiff_t length) {
  while (end() - at_ < length && grow()) {
  }
  return between(at_, at_ + std::min(length, end() - at_));
}

void DocumentReader::read_document() {
  if (head(3) == "\xef\xbb\xbf") at_ += 3;
  const bool quoted_singly = has_single_quotes();
  read_text();
  if (quoted_singly && outcome_.shape == ParseOutcome::Shape::no_events)
    outcome_.detail =
        "its strings use single quotes ('), as printed by Python; JSON requires double quotes (use json.dump)";
}

/// Returns true if the text, or the first entry of its array, starts with a name in single quotes.
bool DocumentReader::has_single_quotes() {
  const std::string_view text = head(64);
  const std::size_t first = text.find_first_not_of(" \t\r\n{[");
  return first != std::string_view::npos && first > 0 && text[first] == '\'';
}

void DocumentReader::read_text() {
  switch (token()) {
    case kEnd:
      return;
    case '{':
      ++at_;
      return read_object();
    case '[':
      ++at_;
      read_entries(Container::array);
      outcome_.shape = outcome_.events > 0 ? ParseOutcome::Shape::trace : ParseOutcome::Shape::no_events;
      if (outcome_.events == 0 && other_entries_ > 0) outcome_.detail = "its array entries are not events";
      return;
    default:
      describe_foreign_text();
  }
}

void DocumentReader::read_object() {
  outcome_.shape = ParseOutcome::Shape::no_events;
  read_members();
  if (found_events_) outcome_.shape = ParseOutcome::Shape::trace;
}

void DocumentReader::describe_foreign_text() {
  outcome_.shape = ParseOutcome::Shape::foreign;
  const std::string_view text = head(512);
  const std::string_view kind = describe_foreign(text);
  outcome_.detail = kind.empty() ? "starts with \"" + excerpt(text, 24) + "\"" : "is " + std::string(kind);
}

/// Reads to the end, to detect corruption in the rest of the input and to determine the length of the text. Counts the
/// bytes after the document.
void DocumentReader::drain() {
  if (outcome_.cancelled) return;
  make_showable();
  const std::uint64_t begin = window_.offset_of(at_);
  const std::string example(between(at_, end()).substr(0, kExampleLength));
  while (!outcome_.cancelled && !window_.final()) {
    at_ = end();
    grow();
  }
  at_ = end();
  report_skipped(begin, example);
}

void DocumentReader::report_skipped(std::uint64_t begin, std::string_view example) {
  const std::uint64_t at = window_.offset_of(at_);
  if (at <= begin || diagnostics_.add_known("skipped-bytes", file_, at - begin)) return;
  diagnostics_.add("skipped-bytes", Severity::warning, file_, begin, readable(example, kExampleLength), at - begin);
}

void DocumentReader::deliver(const char* begin) {
  RawEvent& event = parser_.event();
  event.offset = window_.offset_of(begin);
  report(parser_.notes());
  ++outcome_.events;
  sink_.event(event);
}

void DocumentReader::report(const Notes& notes) {
  notes.for_each([&](Oddity oddity, const char* where) {
    const OddityKind kind = kind_of(oddity);
    report(kind.code, kind.severity, where);
  });
}

void DocumentReader::report_truncation() {
  if (!outcome_.truncated) report_here("truncated", Severity::warning);
  outcome_.truncated = true;
}

bool DocumentReader::can_show(const char* where) const {
  return window_.final() || end() - where >= static_cast<std::ptrdiff_t>(kExampleLength);
}

/// Reads enough text to show an excerpt at at_.
void DocumentReader::make_showable() {
  while (!can_show(at_) && grow()) {
  }
}

void DocumentReader::report_here(std::string_view code, Severity severity) {
  make_showable();
  report(code, severity, at_);
}

/// Requires can_show(where) or the end of the text.
void DocumentReader::report(std::string_view code, Severity severity, const char* where) {
  report_oddity(diagnostics_, file_, code, severity, between(window_.begin(), end()),
                window_.offset_of(window_.begin()), where);
}

void report_oddity(Diagnostics& diagnostics, const std::string& file, std::string_view code, Severity severity,
                   std::string_view text, std::uint64_t base, const char* where) {
  if (diagnostics.add_known(code, file, 1)) return;
  const char* const end = text.data() + text.size();
  const char* begin = where - std::min(kExampleLead, where - text.data());
  while (begin < where && (static_cast<unsigned char>(*begin) & 0xc0U) == 0x80U) ++begin;
  const auto length = static_cast<std::size_t>(end - begin);
  diagnostics.add(code, severity, file, base + static_cast<std::uint64_t>(where - text.data()),
                  readable({begin, std::min(length, kExampleLength)}, kExampleLength));
}

}  // namespace warpscope::ingest::json
