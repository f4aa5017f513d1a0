#include "core/ingest/formats/trace_events/event_parser.hpp"

#include <algorithm>
#include <optional>

#include "core/ingest/formats/trace_events/boundary.hpp"
#include "core/ingest/formats/trace_events/debris.hpp"
#include "core/ingest/formats/trace_events/grammar.hpp"
#include "core/ingest/formats/trace_events/strict.hpp"

namespace warpscope::ingest::json {
namespace {

/// An event still open after this much text is checked for corruption before more text is read for it, because a
/// missing quote inverts everything after it.
constexpr std::ptrdiff_t kSuspiciousLength = std::ptrdiff_t{64} << 10;
/// Valid text up to this length is one event, regardless of its content. Beyond it, contents that look like events are
/// parsed as events: only the end of the text could show whether they are arguments or the event's end is missing, and
/// no reader can hold unlimited text until then. Files without their end occur; events of this length do not.
constexpr std::ptrdiff_t kLongestSound = std::ptrdiff_t{64} << 20;
/// Replaces both limits once long look-ahead has not paid off.
constexpr std::ptrdiff_t kShortSpan = std::ptrdiff_t{2} << 10;
/// Maximum length of an event in a hurry, if nothing in it looks like another event.
constexpr std::ptrdiff_t kLongestInHurry = std::ptrdiff_t{8} << 10;

/// For unreliable brackets: searches to the next plausible event or the end of the array.
RegionSearch region_by_signs(const char* at, const char* end, bool final, std::ptrdiff_t span) {
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

/// Ends the region where the event was overwritten.
RegionSearch up_to_debris(RegionSearch search) {
  Region& region = search.region;
  search.reach = region.end;
  if (search.need_more) return search;
  const char* const debris = find_debris(region.begin, region.end);
  if (debris < region.end) region = {region.begin, debris, Bound::limit};
  return search;
}

/// Returns the region up to the event's own end if its brackets are valid; else nothing.
std::optional<RegionSearch> region_by_brackets(const char* at, const char* end, bool final, std::ptrdiff_t span,
                                               std::ptrdiff_t& looked_at) {
  // Corruption within strings and numbers leaves the brackets intact, so they are reliable.
  const std::ptrdiff_t look = span < kLongestDamaged ? span : kLongestSound;
  const bool far = end - at >= look;
  const ValueScan grammar = follow_grammar(at, far ? at + look : end);
  if (grammar.status == Scan::need_more && !far && !final) return RegionSearch{true, {}, 0};
  if (grammar.status == Scan::complete) {
    const char* follow = skip_space(grammar.next);
    const bool comma = follow < end && *follow == ',';
    if (comma) follow = skip_space(follow + 1);
    if (follow >= end && !final) return RegionSearch{true, {}, 0};
    if (follow < end && *follow == (comma ? '{' : ']'))
      return RegionSearch{false, {at, follow, Bound::known}, follow - at};
  }
  looked_at = grammar.next - at;
  return std::nullopt;
}

}  // namespace

RegionSearch damaged_region(const char* at, const char* end, bool final, std::ptrdiff_t span) {
  std::ptrdiff_t looked_at = 0;
  if (const auto search = region_by_brackets(at, end, final, span, looked_at)) return up_to_debris(*search);
  RegionSearch search = region_by_signs(at, end, final, span);
  search.looked_at += looked_at;
  return up_to_debris(search);
}

/// Finishes an event that was read without error from the text from `at` to `next`.
EventParser::Outcome EventParser::complete(const char* at, const char* next) {
  const char* const debris = find_debris_in_sound(at, next);
  if (debris == next) return {Status::complete, next};
  unreadable_at_ = debris;
  used_ = looked_at_ = next - at;
  return {Status::unreadable, nullptr};
}

EventParser::Outcome EventParser::parse(const char* at, const char* end, bool final) {
  clear_findings();
  if (book_) [[likely]] {
    const std::ptrdiff_t suspicious = effort_.exhausted() ? kShortSpan : kSuspiciousLength;
    const char* const near_end = end - at > suspicious ? at + suspicious : end;
    if (const char* const next = book_->match(at, near_end, event_)) [[likely]] {
      if (is_sound_by_length(at, next)) [[likely]]
        return {Status::complete, next};
      return complete(at, next);
    }
  }
  return parse_anew(at, end, final);
}

/// Parses an event that matches no skeleton.
EventParser::Outcome EventParser::parse_anew(const char* at, const char* end, bool final) {
  event_ = {};
  const Outcome outcome = parse_patiently(at, end, final);
  if (outcome.status == Status::complete && !event_.repaired && matcher_ != nullptr) {
    if (!book_) book_ = std::make_unique<SkeletonBook>(matcher_);
    book_->learn(at, outcome.next, event_, notes_.empty());
  }
  return outcome;
}

EventParser::Outcome EventParser::parse_patiently(const char* at, const char* end, bool final) {
  const bool hurry = effort_.exhausted();
  const std::ptrdiff_t suspicious = hurry ? kShortSpan : kSuspiciousLength;
  const bool cut = end - at > suspicious;
  const char* const near_end = cut ? at + suspicious : end;
  StrictParse strict = parse_strict(at, near_end, final && !cut, event_, scratch_, notes_);
  bool more_helps = !final;
  std::ptrdiff_t looked_at = 0;
  bool sound = true;
  bool too_long = false;
  if (strict.status == Scan::need_more && cut) {
    if (find_event_start(at, at + 1, near_end, false).status == Scan::complete) {
      const bool far = end - at >= kLongestSound;
      const ValueScan grammar =
          hurry ? ValueScan{Scan::damaged, near_end} : follow_grammar(at, far ? at + kLongestSound : end);
      if (grammar.status == Scan::need_more && !far && !final) return {Status::need_more, nullptr};
      sound = grammar.status == Scan::complete;
      too_long = far && grammar.status == Scan::need_more;
      looked_at = suspicious + (grammar.next - at);
    }
    // In a hurry, a long event is still accepted, but failed attempts must not each scan the rest of the text.
    const bool within = !hurry || end - at <= kLongestInHurry;
    more_helps = more_helps && sound && within;
    if (sound) {
      reset();
      strict = parse_strict(at, within ? end : at + kLongestInHurry, final && within, event_, scratch_, notes_);
    }
  }
  if (strict.status == Scan::need_more && more_helps) return {Status::need_more, nullptr};
  if (strict.status == Scan::complete) return complete(at, strict.next);

  reset();
  const std::ptrdiff_t span = hurry ? kShortSpan : kLongestDamaged;
  const RegionSearch search =
      sound ? damaged_region(at, end, final, span) : up_to_debris(region_by_signs(at, end, final, span));
  if (search.need_more) return {Status::need_more, nullptr};
  const Repair repair = repair_event(search.region, event_, scratch_, notes_);
  event_.repaired = true;
  if (too_long && repair.status == RepairStatus::complete) notes_.add(Oddity::event_split, at);
  looked_at_ = looked_at + search.looked_at;
  used_ = (repair.status == RepairStatus::complete ? repair.next : search.reach) - at;
  unreadable_at_ = search.region.end < search.reach ? search.region.end : at;
  if (repair.written_over != nullptr) unreadable_at_ = repair.written_over;
  switch (repair.status) {
    case RepairStatus::complete:
      // Note what strict parsing rejected, even if the repair had no trouble with it.
      if (!notes_.repaired()) notes_.add(Oddity::stray_text, at);
      return {Status::complete, repair.next};
    case RepairStatus::truncated:
      return {Status::truncated, end};
    case RepairStatus::unreadable:
      break;
  }
  return {Status::unreadable, nullptr};
}

}  // namespace warpscope::ingest::json
