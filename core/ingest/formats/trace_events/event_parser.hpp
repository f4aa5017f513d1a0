#pragma once
// Parses the text of one event into a RawEvent: first with the skeletons of earlier events, then strictly, then with
// repair. The result depends only on the event's text, not on the amount of text in memory (if that could matter, the
// parser requests more). Nor does it depend on earlier events, except for hints about similar events and for the
// arguments-damaged note.
#include <memory>

#include "core/ingest/events/raw_event.hpp"
#include "core/ingest/formats/trace_events/repair.hpp"
#include "core/ingest/formats/trace_events/skeleton_book.hpp"
#include "core/ingest/json/notes.hpp"
#include "core/ingest/json/scratch.hpp"

namespace warpscope::ingest::json {

/// Limits the cost of adversarial text to a multiple of its length. The search for the end of a corrupt ten-byte event
/// may read a megabyte; if that happens too often, the look-ahead is shortened.
class RepairEffort {
 public:
  /// Returns true if reading `looked_at` bytes for one event was expensive; only such events are charged.
  static bool is_dear(std::ptrdiff_t looked_at) { return looked_at > kCheap; }
  /// Records that parsing an event of `used` bytes required reading `looked_at` bytes.
  void add(std::ptrdiff_t looked_at, std::ptrdiff_t used) {
    if (looked_at > kFar && far_++ < kFarForFree) return;
    debt_ += looked_at - kWorth * used;
  }
  [[nodiscard]] bool exhausted() const { return debt_ > kMost; }

 private:
  static constexpr std::int64_t kCheap = std::int64_t{8} << 10;
  static constexpr std::int64_t kWorth = 64;
  static constexpr std::int64_t kMost = std::int64_t{16} << 20;
  /// Tolerates a few truncations in the middle of an otherwise valid file.
  static constexpr std::int64_t kFar = std::int64_t{4} << 20;
  static constexpr int kFarForFree = 4;
  std::int64_t debt_ = 0;
  int far_ = 0;
};

class EventParser {
 public:
  using Status = EventStatus;
  using Outcome = EventOutcome;

  EventParser() : EventParser(skeleton_matcher()) {}
  /// If `matcher` is null, skeletons are not used. `exact`: see SkeletonBook.
  explicit EventParser(SkeletonMatcher matcher, bool exact = false) : matcher_(matcher), exact_(exact) {}

  /// Parses the event at `at` ('{') of text that ends at `end`, followed by kPadding readable bytes without white
  /// space. `final`: the document ends at `end`. If complete, event() and notes() are valid until the next call.
  [[nodiscard]] Outcome parse(const char* at, const char* end, bool final);

  [[nodiscard]] const RawEvent& event() const { return event_; }
  [[nodiscard]] RawEvent& event() { return event_; }
  [[nodiscard]] const Notes& notes() const { return notes_; }
  /// Returns the number of events parsed with a skeleton so far.
  [[nodiscard]] std::uint64_t hits() const { return book_ ? book_->hits() : 0; }

  /// Returns true if the last event was expensive to repair.
  [[nodiscard]] bool was_dear() const { return RepairEffort::is_dear(looked_at_); }
  /// Charges the cost of the last event if it was expensive to repair. Call for each event that was accepted or
  /// skipped.
  void count_effort() {
    if (was_dear()) effort_.add(looked_at_, used_);
  }
  /// Returns true if repair has become less thorough because too many events were expensive; the same text may then
  /// yield different events.
  [[nodiscard]] bool in_hurry() const { return effort_.exhausted(); }

 private:
  void reset() {
    event_ = {};
    clear_findings();
  }
  [[gnu::noinline]] void clear_findings() {
    scratch_.clear();
    notes_.clear();
    looked_at_ = 0;
  }

  [[gnu::noinline]] Outcome parse_anew(const char* at, const char* end, bool final);

  Outcome parse_patiently(const char* at, const char* end, bool final);

  SkeletonMatcher matcher_;
  bool exact_;
  std::unique_ptr<SkeletonBook> book_;  ///< created on the first event
  RawEvent event_;
  Scratch scratch_;
  Notes notes_;
  RepairEffort effort_;
  bool patient_ = false;          ///< the last event matched no skeleton, so it may have notes and decoded strings
  std::ptrdiff_t looked_at_ = 0;  ///< bytes read to repair the last event
  std::ptrdiff_t used_ = 0;
};

}  // namespace warpscope::ingest::json
