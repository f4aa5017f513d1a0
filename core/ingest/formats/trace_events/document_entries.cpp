// Reads the array of events, and resynchronizes after unusable text.
#include "core/ingest/formats/trace_events/boundary.hpp"
#include "core/ingest/formats/trace_events/document.hpp"
#include "core/ingest/json/text.hpp"

namespace warpscope::ingest::json {
namespace {

/// Values longer than this that are not events are scanned for events, because a stray opening bracket encloses all
/// events up to its closing bracket.
constexpr std::ptrdiff_t kLongOtherValue = std::ptrdiff_t{4} << 10;

bool starts_other_value(int c) { return c == '-' || (c >= '0' && c <= '9') || c == 't' || c == 'f' || c == 'n'; }

}  // namespace

void DocumentReader::read_entries(Container container) {
  bool comma = true;
  bool first = true;
  for (;; first = false) {
    const int c = token();
    if (outcome_.cancelled) return;
    switch (c) {
      case kEnd:
        if (container == Container::object) return;  // reported by read_members
        report_here("array-not-closed", Severity::info);
        outcome_.truncated = outcome_.truncated || window_.failure().has_value();
        return;
      case ']':
        if (!ends_events(container)) {
          if (outcome_.cancelled) return;
          skip_to_event(comma);
          break;
        }
        if (outcome_.cancelled) return;
        if (comma && !first) report_here("trailing-comma", Severity::warning);
        ++at_;
        if (container == Container::array && token() != kEnd) report_here("text-after-end", Severity::warning);
        return;
      case ',':
        if (comma) report_here("stray-text", Severity::warning);
        comma = true;
        ++at_;
        break;
      case '{':
        if (!comma) report_here("missing-comma", Severity::warning);
        if (!take_ahead(comma)) read_event(comma);
        break;
      case '}':
        if (container == Container::object && peek(1) == kEnd && !outcome_.cancelled) {
          report_here("missing-bracket", Severity::warning);
          return;
        }
        skip_to_event(comma);
        break;
      case '"':
        if (container == Container::object && is_top_level_key()) {
          report_here("missing-bracket", Severity::warning);
          return;
        }
        read_other_entry(comma);
        break;
      case '[':
        if (peek(1) == '{') {
          report_here("stray-text", Severity::warning);  // events are in the array itself, not in a nested one
          comma = true;
          ++at_;
        } else if (!outcome_.cancelled) {
          read_other_entry(comma);
        }
        break;
      default:
        if (starts_other_value(c))
          read_other_entry(comma);
        else
          skip_to_event(comma);
    }
  }
}

/// Accepts events that were parsed ahead, if they start at at_, and skips their text.
bool DocumentReader::take_ahead(bool& comma) {
  if (ahead_ == nullptr || window_.final() || parser_.in_hurry()) return false;
  const auto taken = ahead_->take(window_.offset_of(at_));
  if (!taken) return false;
  outcome_.events += taken->events;
  outcome_.cancelled = cancel_ != nullptr && cancel_->cancelled();
  at_ = window_.jump(taken->end);
  comma = false;
  return true;
}

void DocumentReader::read_event(bool& comma) {
  for (;;) {
    const bool final = window_.final();
    const EventParser::Outcome parsed = parser_.parse(at_, end(), final);
    switch (parsed.status) {
      case EventParser::Status::complete:
        if (!parser_.notes().empty() && !can_show(parsed.next)) {
          grow();
          if (outcome_.cancelled) return;
          if (!too_long_) continue;
        }
        parser_.count_effort();
        deliver(at_);
        at_ = parsed.next;
        comma = false;
        return;
      case EventParser::Status::need_more:
        if (grow() || (!too_long_ && !outcome_.cancelled && !final)) continue;
        if (outcome_.cancelled) return;
        report_here("event-too-long", Severity::warning);
        return skip_to_event(comma);
      case EventParser::Status::truncated:
        report_truncation();
        at_ = end();
        return;
      case EventParser::Status::unreadable:
        parser_.count_effort();
        report_here("unreadable-event", Severity::warning);
        return skip_to_event(comma);
    }
  }
}

/// Reads an entry of the array that is not an object.
void DocumentReader::read_other_entry(bool& comma) {
  for (;;) {
    const ValueScan scan = scan_value(at_, end());
    if (scan.status == Scan::complete) {
      const std::ptrdiff_t length = scan.next - at_;
      if (length > kLongOtherValue && find_event_start(at_, at_ + 1, scan.next, true).status == Scan::complete)
        return skip_to_event(comma);
      report_here("not-an-event", Severity::warning);
      ++other_entries_;
      at_ += length;
      comma = false;
      return;
    }
    if (scan.status == Scan::need_more && grow()) continue;
    if (outcome_.cancelled) return;
    if (scan.status == Scan::damaged || too_long_) return skip_to_event(comma);
    at_ = end();
    return;
  }
}

/// Returns false if the ']' at at_ is part of an event that ended too early: it is separated from another event only by
/// brackets and a comma.
bool DocumentReader::ends_events(Container container) {
  std::ptrdiff_t skip = 1;
  bool comma = container == Container::object;
  for (int next = peek(skip); next != '{'; next = peek(skip)) {
    if (next != '}' && next != ']' && next != ',') return true;
    comma |= next == ',';
    skip = skip_space(at_ + skip) - at_ + 1;
  }
  for (;;) {
    const Scan event = event_start_at(skip_space(at_ + skip), end(), window_.final());
    if (event != Scan::need_more) return event == Scan::damaged || !comma;
    if (!grow() && !window_.final()) return true;
  }
}

/// Skips unusable text up to the next plausible event or the plausible end of the array. Sets `comma` to true before an
/// event, because no comma is required there.
void DocumentReader::skip_to_event(bool& comma) {
  make_showable();
  const std::string example(between(at_, end()).substr(0, kExampleLength));
  const std::uint64_t begin = window_.offset_of(at_);
  std::ptrdiff_t judged = 1;  // bytes from at_ on in which no event starts
  for (;;) {
    const bool final = window_.final();
    const EventStart event = find_event_start(at_, at_ + judged, end(), final);
    const EventStart close = find_array_end(at_ + judged, event.at, end(), final);
    const EventStart& nearest = close.status == Scan::damaged ? event : close;
    if (nearest.status == Scan::complete) {
      at_ = nearest.at;
      break;
    }
    // Keep the last structural byte before the undecided text: a '{' after a colon never starts an event.
    const char* const unjudged = nearest.status == Scan::need_more ? nearest.at : end();
    const char* context = unjudged;
    while (context > at_ && is_space(context[-1])) --context;
    if (context > at_) at_ = context - 1;
    judged = unjudged - at_;
    if (grow() || (!final && window_.final() && !outcome_.cancelled)) continue;
    at_ = end();
    break;
  }
  comma = *at_ == '{';
  report_skipped(begin, example);
}

}  // namespace warpscope::ingest::json
