#pragma once
// One event from text to RawEvent: by the skeletons of events before it, else strictly, and patiently where that fails.
// What comes out depends on the text of the event alone, never on how much of it happened to be in memory (where that
// could matter, more is asked for), nor on the events before, but for what the event says about its likeness to them.
#include <memory>

#include "core/ingest/kineto/notes.hpp"
#include "core/ingest/kineto/repair.hpp"
#include "core/ingest/kineto/scratch.hpp"
#include "core/ingest/kineto/skeleton_book.hpp"
#include "core/ingest/raw_event.hpp"

namespace warpscope::ingest::kineto {

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

 private:
  void reset();

  Outcome parse_patiently(const char* at, const char* end, bool final);

  SkeletonMatcher matcher_;
  std::unique_ptr<SkeletonBook> book_;  ///< from the first event on
  RawEvent event_;
  Scratch scratch_;
  Notes notes_;
};

struct RegionSearch {
  bool need_more = false;
  Region region;
};

/// How far the damaged event at `at` may reach: to the next plausible event or
/// the end of the array, within 1 MiB.
[[nodiscard]] RegionSearch damaged_region(const char* at, const char* end, bool final);

}  // namespace warpscope::ingest::kineto
