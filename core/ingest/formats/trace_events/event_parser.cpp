#include "core/ingest/formats/trace_events/event_parser.hpp"

#include "core/ingest/formats/trace_events/boundary.hpp"
#include "core/ingest/formats/trace_events/strict.hpp"

namespace warpscope::ingest::json {
namespace {

/// An event that is still open after this much text and contains what looks like another event is corrupt: a missing
/// quote or bracket has merged it with everything after it.
constexpr std::ptrdiff_t kSuspiciousLength = std::ptrdiff_t{64} << 10;
/// Replaces the limit above and limits the search for the next event after long look-ahead has failed too often.
constexpr std::ptrdiff_t kShortSpan = std::ptrdiff_t{2} << 10;
/// Maximum length of an event in a hurry, if nothing in it looks like another event.
constexpr std::ptrdiff_t kLongestInHurry = std::ptrdiff_t{8} << 10;
/// Maximum distance searched for the end of an event with corrupt brackets.
constexpr std::ptrdiff_t kLongestDamaged = std::ptrdiff_t{1} << 20;

struct RegionSearch {
  bool need_more = false;
  Region region;
  std::ptrdiff_t looked_at = 0;  ///< bytes read
};

/// Returns how far the corrupt event at `at` may extend: to the next plausible event or the end of the array, within
/// `span` bytes.
RegionSearch damaged_region(const char* at, const char* end, bool final, std::ptrdiff_t span) {
  const bool cut = end - at > span;
  const char* const last = cut ? at + span : end;
  const bool whole = final && !cut;
  const EventStart next = find_event_start(at, at + 1, last, whole);
  const EventStart close = find_array_end_by_key(at + 1, next.at, last, whole);
  const EventStart& nearest = close.status == Scan::damaged ? next : close;
  if (nearest.status == Scan::complete) return {false, {at, nearest.at, Bound::known}, nearest.at - at};
  if (cut) return {false, {at, last, Bound::limit}, last - at};
  if (final) return {false, {at, end, Bound::text_end}, last - at};
  return {true, {}, last - at};
}

}  // namespace

EventParser::Outcome EventParser::parse(const char* at, const char* end, bool final) {
  if (patient_) [[unlikely]] {
    clear_findings();
    patient_ = false;
  }
  if (book_) [[likely]] {
    const std::ptrdiff_t suspicious = effort_.exhausted() ? kShortSpan : kSuspiciousLength;
    const char* const near_end = end - at > suspicious ? at + suspicious : end;
    if (const char* const next = book_->match(at, near_end, event_)) [[likely]]
      return {Status::complete, next};
  }
  return parse_anew(at, end, final);
}

/// Parses an event that matches no skeleton.
EventParser::Outcome EventParser::parse_anew(const char* at, const char* end, bool final) {
  event_ = {};
  patient_ = true;
  const Outcome outcome = parse_patiently(at, end, final);
  if (outcome.status == Status::complete && !event_.repaired && matcher_ != nullptr) {
    if (!book_) book_ = std::make_unique<SkeletonBook>(matcher_, exact_);
    book_->learn(at, outcome.next, event_, notes_.empty());
  }
  return outcome;
}

EventParser::Outcome EventParser::parse_patiently(const char* at, const char* end, bool final) {
  const bool hurry = effort_.exhausted();
  const std::ptrdiff_t suspicious = hurry ? kShortSpan : kSuspiciousLength;
  const bool cut = end - at > suspicious;
  const char* const near_end = cut ? at + suspicious : end;
  ValueScan strict = parse_strict(at, near_end, final && !cut, event_, scratch_, notes_);
  bool more_helps = !final;
  std::ptrdiff_t looked_at = 0;
  if (strict.status == Scan::need_more && cut) {
    const bool sound = find_event_start(at, at + 1, near_end, false).status != Scan::complete;
    // In a hurry, long events are still accepted, but failed attempts must not each scan the rest of the text.
    const bool within = !hurry || end - at <= kLongestInHurry;
    more_helps = more_helps && sound && within;
    looked_at = sound ? 0 : suspicious;
    if (sound) {
      reset();
      strict = parse_strict(at, within ? end : at + kLongestInHurry, final && within, event_, scratch_, notes_);
    }
  }
  if (strict.status == Scan::need_more && more_helps) return {Status::need_more, nullptr};
  if (strict.status == Scan::complete) return {Status::complete, strict.next};

  reset();
  RegionSearch search = damaged_region(at, end, final, hurry ? kShortSpan : kLongestDamaged);
  if (search.need_more) return {Status::need_more, nullptr};
  if (const char* const gone = find_overwritten(at, search.region.end); gone != search.region.end)
    search.region = {at, gone, Bound::overwritten};
  EventOutcome repair = repair_event(search.region, event_, scratch_, notes_);
  if (repair.status == Status::unreadable && search.region.bound == Bound::known) {
    reset();
    const ValueScan rest = parse_strict(at, search.region.end, true, event_, scratch_, notes_, true);
    if (rest.status == Scan::complete) repair = {Status::complete, rest.next};
  }
  event_.repaired = true;
  looked_at_ = looked_at + search.looked_at;
  used_ = (repair.status == EventStatus::complete ? repair.next : search.region.end) - at;
  // Note what strict parsing rejected, even if repair succeeded without problems.
  const char* const where = search.region.bound == Bound::overwritten ? search.region.end : at;
  if (repair.status == Status::complete && !notes_.repaired()) notes_.add(Oddity::stray_text, where);
  return repair;
}

}  // namespace warpscope::ingest::json
