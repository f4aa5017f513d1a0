#include <algorithm>
#include <cstring>

#include "core/ingest/formats/trace_events/event_fields.hpp"
#include "core/ingest/formats/trace_events/skeleton.hpp"
#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {
namespace {

/// Strings this short in other fields ("bp": "e") count as part of the shape.
constexpr std::ptrdiff_t kShortString = 2;

/// Walks an event that is known to be valid.
class Learner {
 public:
  Learner(const char* at, const char* next, Skeleton& skeleton)
      : literal_(at), at_(skip_space(at + 1)), end_(next), skeleton_(skeleton) {}

  bool run() {
    while (*at_ != '}') {
      if (!member()) return false;
      at_ = skip_space(at_);
      if (*at_ == ',') at_ = skip_space(at_ + 1);
    }
    return cut(end_, Slot::end, false) && find_place();
  }

 private:
  bool member() {
    const KeyMatch match = match_key(at_ + 1);
    const StringScan key = scan_string(at_ + 1, end_);
    at_ = skip_space(skip_space(key.close + 1) + 1);
    const ValueScan scan = scan_value(at_, end_);
    if (scan.status != Scan::complete) return false;
    const bool known = value(match.key, scan.next);
    at_ = scan.next;
    return known;
  }

  bool value(Key key, const char* next) {
    switch (key) {
      case Key::phase:
        return phase(next);
      case Key::category:
        return category(next);
      case Key::name:
        return text(Slot::name, next);
      case Key::process:
        return text(Slot::process, next);
      case Key::thread:
        return text(Slot::thread, next);
      case Key::id:
        return text(Slot::id, next);
      case Key::time:
        return number(Slot::time, next);
      case Key::duration:
        return number(Slot::duration, next);
      case Key::arguments:
        return *at_ == '{' && slot(Slot::arguments, false, next);
      case Key::other:
        break;
    }
    return other(next);
  }

  bool phase(const char* next) {
    if (*at_ != '"' || next - at_ != 3) return false;
    so_far_.phase = at_[1];
    return true;
  }

  bool category(const char* next) {
    if (*at_ != '"' || !is_plain(next)) return false;
    so_far_.category = {at_ + 1, static_cast<std::size_t>(next - at_ - 2)};
    return true;
  }

  bool text(Slot kind, const char* next) {
    if (*at_ == '"') return is_plain(next) && slot(kind, true, next);
    return starts_number() && slot(kind, false, next);
  }

  bool number(Slot kind, const char* next) {
    const bool quoted = *at_ == '"';
    return (quoted || starts_number()) && slot(kind, quoted, next);
  }

  bool other(const char* next) {
    if (*at_ == '"') return next - at_ - 2 <= kShortString || slot(Slot::other_string, true, next);
    if (*at_ == '{' || *at_ == '[') return slot(Slot::other_nested, false, next);
    return !starts_number() || slot(Slot::other_number, false, next);
  }

  [[nodiscard]] bool starts_number() const { return is_digit(*at_) || *at_ == '-'; }
  /// Returns true if the string from at_ to `next` needs no decoding.
  [[nodiscard]] bool is_plain(const char* next) const { return string_stop(at_ + 1, end_) == next - 1; }

  /// Adds the value from at_ to `next` as a slot.
  bool slot(Slot kind, bool quoted, const char* next) {
    const std::ptrdiff_t quote = quoted ? 1 : 0;
    if (!cut(at_ + quote, kind, quoted)) return false;
    literal_ = next - quote;
    return true;
  }

  /// Ends a literal at `to`; splits a long literal into several steps.
  bool cut(const char* to, Slot kind, bool quoted) {
    constexpr auto kLongest = static_cast<std::ptrdiff_t>(Literal::kLongest);
    for (; to - literal_ > kLongest; literal_ += kLongest)
      if (!add({literal_, Literal::kLongest}, Slot::none, false)) return false;
    return add({literal_, static_cast<std::size_t>(to - literal_)}, kind, quoted);
  }

  bool add(std::string_view literal, Slot kind, bool quoted) {
    if (skeleton_.count == Skeleton::kMostSteps) return false;
    const bool wants = kind == Slot::arguments && wants_correlation(so_far_);
    skeleton_.steps[skeleton_.count++] = {Literal(literal), kind, quoted, wants};
    return true;
  }

  /// Finds both ids if they are adjacent.
  bool find_place() {
    const auto is_id = [&](std::size_t i) {
      return skeleton_.steps[i].slot == Slot::process || skeleton_.steps[i].slot == Slot::thread;
    };
    for (std::size_t i = 0; i + 2 < skeleton_.count && skeleton_.place_step == Skeleton::kNoPlace; ++i)
      if (is_id(i) && is_id(i + 1)) skeleton_.place_step = static_cast<std::uint8_t>(i);
    return true;
  }

  const char* literal_;  ///< start of the current literal
  const char* at_;
  const char* const end_;
  Skeleton& skeleton_;
  RawEvent so_far_;
};

}  // namespace

Literal::Literal(std::string_view from) : length(static_cast<std::uint8_t>(from.size())) {
  if (!from.empty()) std::memcpy(text, from.data(), from.size());
  for (std::size_t i = 0; i < from.size(); ++i) ignored[i / 32] &= ~(1U << i % 32);
}

bool learn_skeleton(const char* at, const char* next, const RawEvent& event, Skeleton& skeleton) {
  skeleton.count = 0;
  skeleton.place_step = Skeleton::kNoPlace;
  skeleton.place_credit = Skeleton::kPlaceCredit;
  for (Place& place : skeleton.places) place = {};
  std::fill(std::begin(skeleton.valid_arguments), std::end(skeleton.valid_arguments), 0U);
  std::fill(std::begin(skeleton.names), std::end(skeleton.names), 0U);
  if (event.category.size() > sizeof skeleton.category || !Learner(at, next, skeleton).run()) return false;
  skeleton.phase = event.phase;
  skeleton.category_length = static_cast<std::uint8_t>(event.category.size());
  if (!event.category.empty()) std::memcpy(skeleton.category, event.category.data(), event.category.size());
  skeleton.keeps_correlation = wants_correlation(event);
  return true;
}

}  // namespace warpscope::ingest::json
