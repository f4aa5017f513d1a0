#include "core/ingest/formats/trace_events/skeleton_book.hpp"

#include <algorithm>
#include <utility>

#include "core/ingest/formats/trace_events/event_fields.hpp"
#include "core/ingest/json/number.hpp"
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {
namespace {

/// After this many misses, hits and misses are compared. If there were fewer hits, the next events are parsed strictly,
/// and then all skeletons are relearned. Text that matches no skeleton takes an eighth longer to parse than without
/// skeletons.
constexpr std::uint32_t kPatience = 512;
constexpr std::uint32_t kRest = 8 * kPatience;
constexpr std::uint32_t kMostPlaces = 4096;

}  // namespace

SkeletonBook::SkeletonBook(SkeletonMatcher matcher, bool exact)
    : matcher_(matcher), skeletons_(std::make_unique_for_overwrite<Skeleton[]>(SkeletonTable::kMost)) {
  table_.skeletons = skeletons_.get();
  table_.owner = this;
  table_.trusted = exact ? 0 : 1;
  names_.intern("");  // key 0: none
}

void SkeletonBook::learn(const char* at, const char* next, const RawEvent& event, bool plain) {
  ++misses_;
  if (resting_) {
    if (misses_ < kRest) return;
    resting_ = false;
    table_.count = 0;
    misses_ = 0;
    hits_before_ = hits_;
  } else if (misses_ >= kPatience) {
    judge();
    if (resting_) return;
  }
  if (plain && table_.count < SkeletonTable::kMost && shapes_ + 1 < RawEvent::kLikenesses) add(at, next, event);
}

void SkeletonBook::judge() {
  resting_ = hits_ - hits_before_ < misses_;
  misses_ = 0;
  hits_before_ = hits_;
}

void SkeletonBook::add(const char* at, const char* next, const RawEvent& event) {
  Skeleton& fresh = skeletons_[table_.count];
  if (!learn_skeleton(at, next, event, fresh)) return;
  for (unsigned i = 0; i < table_.count; ++i) {
    const Skeleton& other = skeletons_[i];
    const auto both = std::min(fresh.count, other.count);
    const auto shared = std::mismatch(fresh.steps, fresh.steps + both, other.steps).first - fresh.steps;
    if (shared == both) return;  // already known; a value prevented the match
    table_.shared[i][table_.count] = table_.shared[table_.count][i] = static_cast<std::uint8_t>(shared);
  }
  fresh.shape = ++shapes_;
  table_.before_last = table_.last;
  table_.last = table_.count++;
}

std::uint32_t SkeletonBook::place_of(const RawEvent& event) {
  place_key_.assign(event.process).append(1, '\0').append(event.thread);
  if (const auto known = places_.find(place_key_); known != places_.end()) return known->second;
  if (places_.size() >= kMostPlaces) return 0;
  const auto id = static_cast<std::uint32_t>(places_.size() + 1);
  places_.emplace(place_key_, id);
  return id;
}

std::uint32_t name_key(SkeletonTable& table, const char* text, std::size_t length) {
  Interner& names = static_cast<SkeletonBook*>(table.owner)->names_;
  const std::uint32_t key = length > SkeletonBook::kLongestName ? 0 : names.intern({text, length});
  table.names = names.views();
  return key + 1 == SkeletonBook::kMostNames ? 0 : key;
}

void remember_place(SkeletonTable& table, Skeleton& skeleton, const char* begin, RawEvent& event) {
  event.place = static_cast<SkeletonBook*>(table.owner)->place_of(event);
  const std::string_view later =
      std::max(event.process.data(), event.thread.data()) == event.process.data() ? event.process : event.thread;
  const std::size_t behind = skeleton.steps[skeleton.place_step + 2].literal.length;
  const auto length = static_cast<std::size_t>(later.data() - begin) + later.size() + behind;
  if (length > Literal::kLongest || event.place == 0) return;
  const std::string_view text(begin, length);
  Place* const first = skeleton.places;
  Place* const last = first + Skeleton::kPlaces;
  Place* found = std::find_if(first, last, [&](const Place& place) { return place.literal.view() == text; });
  if (found == last) {
    found = last - 1;
    const auto at = [&](std::string_view id) { return static_cast<std::uint8_t>(id.data() - begin); };
    *found = {Literal(text),
              at(event.process),
              static_cast<std::uint8_t>(event.process.size()),
              at(event.thread),
              static_cast<std::uint8_t>(event.thread.size()),
              event.place};
    if (--skeleton.place_credit == 0) skeleton.place_step = Skeleton::kNoPlace;
  }
  std::rotate(first, found, found + 1);
}

const char* other_microseconds(const char* at, const char* end, Ns& value) {
  if (!is_digit(*at) && *at != '-') return nullptr;
  const ValueScan scan = scan_value(at, end);
  if (scan.status != Scan::complete) return nullptr;
  const Number number = parse_microseconds({at, static_cast<std::size_t>(scan.next - at)});
  value = number.value;
  return number.status == NumberStatus::ok ? scan.next : nullptr;
}

bool read_correlation(const char* at, const char* end, RawEvent& event) {
  const ValueScan scan = scan_value(at, end);
  if (scan.status != Scan::complete) return false;
  if (const char follow = *skip_space(scan.next); follow != ',' && follow != '}') return false;
  Notes notes;
  set_correlation(event, {at, static_cast<std::size_t>(scan.next - at)}, notes);
  return notes.empty();
}

const char* skip_nested_patiently(const char* at, const char* end, bool wanted, const char*& found) {
  const NestedScan scan = scan_nested(at, end, wanted ? std::string_view("correlation") : std::string_view());
  found = scan.found;
  return scan.status == Scan::complete ? scan.next : nullptr;
}

const char* skip_number_patiently(const char* at, const char* end) { return scan_number(at, end); }

const char* skip_number_around(const char* at, const char* end) {
  const char* begin = at;
  while (is_number_char(begin[-1])) --begin;
  const char* const next = scan_number(begin, end);
  return next != nullptr && next > at ? next : nullptr;
}

const char* skip_string_patiently(const char* at, const char* end) {
  const StringScan scan = scan_string(at, end);
  return scan.status == Scan::complete ? scan.close : nullptr;
}

SkeletonMatchers skeleton_matchers() {
  SkeletonMatchers matchers;
  matchers.plain = plain::match;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul"))
    matchers.avx2 = avx2::match;
#endif
  return matchers;
}

SkeletonMatcher skeleton_matcher() {
  const SkeletonMatchers matchers = skeleton_matchers();
  return matchers.avx2 != nullptr ? matchers.avx2 : matchers.plain;
}

}  // namespace warpscope::ingest::json
