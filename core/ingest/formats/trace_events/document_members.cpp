// Reads the document's members other than the events: metadata, which may also be corrupt.
#include <algorithm>
#include <optional>
#include <string>

#include "core/ingest/formats/trace_events/boundary.hpp"
#include "core/ingest/formats/trace_events/document.hpp"

namespace warpscope::ingest::json {
namespace {

/// Maximum distance searched for the end of a corrupt metadata value.
constexpr std::ptrdiff_t kMetadataSpan = std::ptrdiff_t{1} << 20;

/// Maximum number of values treated as having no end; a document rarely has more than one.
constexpr int kMostSwallowed = 16;

constexpr std::string_view kEventsKey = "traceEvents";

struct MemberHead {
  Scan status = Scan::complete;
  std::string_view key;
  const char* value = nullptr;
};

/// Scans `"key": ` at `quote`, up to the first byte of the value.
MemberHead scan_member_head(const char* quote, const char* end) {
  const StringScan key = scan_string(quote + 1, end);
  if (key.status != Scan::complete) return {key.status, {}, nullptr};
  const char* const colon = skip_space(key.close + 1);
  if (colon >= end) return {Scan::need_more, {}, nullptr};
  if (*colon != ':') return {Scan::damaged, {}, nullptr};
  const char* const value = skip_space(colon + 1);
  return {value < end ? Scan::complete : Scan::need_more, between(quote + 1, key.close), value};
}

}  // namespace

void DocumentReader::read_members() {
  bool comma = false;
  for (;;) {
    const int c = token();
    if (outcome_.cancelled) return;
    if (c == kEnd) return report_truncation();
    if (c == '}') {
      if (comma) report_here("trailing-comma", Severity::warning);
      comma = false;
      ++at_;
      const int follow = token();
      if (follow == kEnd) return;
      report_here("text-after-end", Severity::warning);
      if (follow != ',' && found_events_) return;
      continue;  // the document was closed before its events, or before the last of them
    }
    comma = c == ',';
    if (c == ',') {
      ++at_;
    } else if (c == '"') {
      read_member();
    } else if (c == '{' && found_events_) {
      report_here("stray-text", Severity::warning);  // the array was closed before its last event
      read_entries(Container::object);
    } else {
      recover_metadata({}, 1);
    }
  }
}

void DocumentReader::read_member() {
  for (;;) {
    const MemberHead head = scan_member_head(at_, end());
    switch (head.status) {
      case Scan::need_more:
        if (grow()) continue;
        if (too_long_) return recover_metadata({}, 1);
        at_ = end();
        return;
      case Scan::damaged:
        return recover_metadata({}, 1);
      case Scan::complete:
        break;
    }
    if (head.key == kEventsKey && *head.value == '[') {
      at_ = head.value + 1;
      found_events_ = true;
      return read_entries(Container::object);
    }
    return read_metadata(std::string(head.key), head.value - at_);
  }
}

/// Reads the value at at_ + value for any key but the event array's.
void DocumentReader::read_metadata(const std::string& key, std::ptrdiff_t value) {
  for (;;) {
    const ValueScan scan = scan_value(at_ + value, end());
    if (scan.status == Scan::damaged) return recover_metadata(key, value);
    if (scan.status == Scan::complete) {
      const std::ptrdiff_t length = scan.next - (at_ + value);
      const int follow = peek(value + length);
      if (outcome_.cancelled) return;
      if (follow != kEnd && follow != ',' && follow != '}') return recover_metadata(key, value);
      at_ += value;
      sink_.metadata(key, between(at_, at_ + length));
      at_ += length;
      return;
    }
    if (grow()) continue;
    if (too_long_) return recover_metadata({}, value);
    // An extra bracket encloses everything after it, so each extra bracket would cause all of that text to be scanned
    // again.
    if (!outcome_.cancelled && swallowed_ < kMostSwallowed &&
        find_top_level_key(at_ + value, end(), true).status == Scan::complete) {
      ++swallowed_;
      return recover_metadata({}, value);
    }
    at_ = end();
    return;
  }
}

/// Handles text at at_ that is not a document member or has a corrupt value. Passes on the best guess for the value of
/// `key`, if any, and moves past it, but not past the next known key.
void DocumentReader::recover_metadata(std::string key, std::ptrdiff_t value) {
  std::optional<std::uint64_t> skips;  // where the text starts that belongs to no key
  std::string example;
  const auto skip_from_here = [&] {
    report_here("metadata-damaged", Severity::warning);
    if (skips) return;
    skips = window_.offset_of(at_);
    example = between(at_, end()).substr(0, kExampleLength);
  };
  const auto deliver = [&](const char* from, const char* to) {
    deliver_damaged(key, from, to);
    if (skips) report_skipped(*skips, example);
  };
  if (key.empty()) skip_from_here();
  for (;;) {
    const char* const from = at_ + value;
    const bool final = window_.final();
    // The result must not depend on how much text is in memory.
    const bool cut = !key.empty() && end() - from > kMetadataSpan;
    const EventStart next = find_top_level_key(from, cut ? from + kMetadataSpan : end(), final && !cut);
    if (next.status == Scan::complete) {
      if (!can_show(next.at)) {
        grow();
        if (outcome_.cancelled) return;
        if (!too_long_) continue;
      }
      return deliver(from, next.at);
    }
    if (cut || key.empty() || too_long_) {
      if (!key.empty()) skip_from_here();
      key.clear();
      at_ = std::max(next.at, too_long_ ? at_ + 1 : at_);
      value = 0;
    }
    if (cut || grow() || too_long_ || (!final && !outcome_.cancelled)) continue;
    if (outcome_.cancelled) return;
    return deliver(at_ + value, end());
  }
}

void DocumentReader::deliver_damaged(const std::string& key, const char* from, const char* to) {
  at_ = to;
  if (key.empty() || from == to) return;
  Notes notes;
  const char* const value_end = skip_damaged_value(from, to, notes);
  const char* const follow = std::find_if_not(value_end, to, is_space);
  if (follow < to && (*follow == ',' || *follow == '}')) at_ = value_end;
  report(notes);
  if (notes.empty() || at_ != value_end) report("metadata-damaged", Severity::warning, from);
  if (at_ == to) report_skipped(window_.offset_of(value_end), between(value_end, to).substr(0, kExampleLength));
  sink_.metadata(key, between(from, value_end));
}

/// Returns true if the quote at at_ starts a key that Kineto writes next to the events.
bool DocumentReader::is_top_level_key() {
  for (;;) {
    const MemberHead head = scan_member_head(at_, end());
    if (head.status == Scan::complete) return find_top_level_key(at_, head.value, true).at == at_;
    if (head.status == Scan::damaged || !grow()) return false;
  }
}

}  // namespace warpscope::ingest::json
