#pragma once
// One event from text to RawEvent: by the skeletons of events before it, else strictly, and patiently where that fails.
// What comes out depends on the text of the event alone, never on how much of it happened to be in memory (where that
// could matter, more is asked for), nor on the events before, but for what the event says about its likeness to them.
#include <memory>

#include "core/ingest/events/raw_event.hpp"
#include "core/ingest/formats/trace_events/repair.hpp"
#include "core/ingest/formats/trace_events/skeleton_book.hpp"
#include "core/ingest/json/notes.hpp"
#include "core/ingest/json/scratch.hpp"

namespace warpscope::ingest::json {

/// Keeps text that is made to hurt from costing more than its length is worth. A damaged event may be looked for the
/// end of through a megabyte and turn out to be ten bytes long; where that has happened too often, looking ahead is
/// short.
class RepairEffort {
 public:
  /// Was it dear to read `looked_at` bytes for one event? Only what was dear counts.
  static bool is_dear(std::ptrdiff_t looked_at) { return looked_at > kCheap; }
  /// That many were read to make an event of `used` bytes.
  void add(std::ptrdiff_t looked_at, std::ptrdiff_t used) {
    if (looked_at > kFar && far_++ < kFarForFree) return;
    debt_ += looked_at - kWorth * used;
  }
  [[nodiscard]] bool exhausted() const { return debt_ > kMost; }

 private:
  static constexpr std::int64_t kCheap = std::int64_t{8} << 10;
  static constexpr std::int64_t kWorth = 64;
  static constexpr std::int64_t kMost = std::int64_t{16} << 20;
  /// A file that was cut off in a list a few times, and sound up to there, is not made to hurt.
  static constexpr std::int64_t kFar = std::int64_t{4} << 20;
  static constexpr int kFarForFree = 4;
  std::int64_t debt_ = 0;
  int far_ = 0;
};

class EventParser {
 public:
  enum class Status : std::uint8_t {
    complete,
    need_more,   ///< more text is needed to tell
    truncated,   ///< the document ends inside the event
    unreadable,  ///< no event could be made of it
  };
  struct Outcome {
    Status status = Status::unreadable;
    const char* next = nullptr;  ///< after the event, if complete
  };

  EventParser() : EventParser(skeleton_matcher()) {}
  /// `matcher` null: without skeletons.
  explicit EventParser(SkeletonMatcher matcher) : matcher_(matcher) {}

  /// Parses the event at `at` ('{') of text that ends at `end`, with kPadding readable bytes that are no white space
  /// behind. `final`: the document ends at `end`. If complete, event() and notes() hold until the next call.
  [[nodiscard]] Outcome parse(const char* at, const char* end, bool final);

  [[nodiscard]] const RawEvent& event() const { return event_; }
  [[nodiscard]] RawEvent& event() { return event_; }
  [[nodiscard]] const Notes& notes() const { return notes_; }
  /// Events that were taken by a skeleton so far.
  [[nodiscard]] std::uint64_t hits() const { return book_ ? book_->hits() : 0; }

  /// Of an event that is unreadable: where it is damaged, if that is known, else its begin.
  [[nodiscard]] const char* unreadable_at() const { return unreadable_at_; }

  /// The last event was dear to repair.
  [[nodiscard]] bool was_dear() const { return RepairEffort::is_dear(looked_at_); }
  /// To be called for each event that is taken, or given up, if what was dear is to have consequences.
  void count_effort() {
    if (was_dear()) effort_.add(looked_at_, used_);
  }
  /// So many events were dear that damage is looked at less patiently: of the same text other events may be made.
  [[nodiscard]] bool in_hurry() const { return effort_.exhausted(); }

 private:
  void reset() {
    event_ = {};
    clear_findings();
  }
  void clear_findings() {
    scratch_.clear();
    notes_.clear();
    looked_at_ = 0;
  }

  [[gnu::noinline]] Outcome parse_anew(const char* at, const char* end, bool final);

  Outcome parse_patiently(const char* at, const char* end, bool final);
  Outcome complete(const char* at, const char* next);

  SkeletonMatcher matcher_;
  std::unique_ptr<SkeletonBook> book_;  ///< from the first event on
  RawEvent event_;
  Scratch scratch_;
  Notes notes_;
  RepairEffort effort_;
  std::ptrdiff_t looked_at_ = 0;  ///< to repair the last event
  std::ptrdiff_t used_ = 0;
  const char* unreadable_at_ = nullptr;
};

struct RegionSearch {
  bool need_more = false;
  Region region;
  std::ptrdiff_t looked_at = 0;  ///< bytes that were looked through
  const char* reach = nullptr;   ///< where the region would end if nothing had been written over it
};

/// The end of an event whose brackets are damaged is looked for so far.
inline constexpr std::ptrdiff_t kLongestDamaged = std::ptrdiff_t{1} << 20;

/// How far the damaged event at `at` may reach: to its own end if its brackets are sound, else to the next plausible
/// event or the end of the array, within `span` bytes; and no further than to what is no text at all.
[[nodiscard]] RegionSearch damaged_region(const char* at, const char* end, bool final,
                                          std::ptrdiff_t span = kLongestDamaged);

}  // namespace warpscope::ingest::json
