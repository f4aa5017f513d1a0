#pragma once
// Learned skeletons of events: the quick way through text that looks like what came before.
//
// Idea: a program writes each kind of event with the same text between the values, white space and order of keys
// included, so an event that was parsed strictly once is kept as a list of steps "this literal text, then a value of
// this sort". The next event is compared with that text, 32 bytes at a time, and only its values are looked at. The
// phase and the category are part of the literal text, so they are known when it matches, and so is the thread where
// the text of both ids equals that of an event before. Which skeleton comes next is guessed by the two events before.
//
// Why this is exact: a match means that each byte of the event is either one that the strict parser has taken at the
// same place of the same tokens, or belongs to a value that is read by the strict parser's own rules here. Whatever
// those would not take at once (escapes, text beyond ASCII, damage, the end of the text) is no match, and strict.hpp
// has the word. The experiment it came from: learned text between values beats parsing it by a factor of two to three.
#include <cstdint>
#include <string_view>

#include "core/ingest/events/raw_event.hpp"
#include "core/ingest/formats/trace_events/name_book.hpp"

namespace warpscope::ingest::json {

/// Up to 64 bytes of text that must be there.
struct Literal {
  static constexpr std::size_t kLongest = 64;

  alignas(32) char text[kLongest]{};
  std::uint32_t ignored[2]{~0U, ~0U};  ///< of each half: bit i set: byte i is not compared
  std::uint8_t length = 0;

  Literal() = default;
  /// `from` has at most kLongest bytes.
  explicit Literal(std::string_view from);
  [[nodiscard]] std::string_view view() const { return {text, length}; }
};

/// What stands behind a step's literal.
enum class Slot : std::uint8_t {
  none,  ///< nothing: the literal goes on in the next step
  end,   ///< nothing: the event is over
  name,
  process,
  thread,
  id,
  time,
  duration,
  arguments,
  other_string,
  other_number,
  other_nested,
};

struct Step {
  Literal literal;
  Slot slot = Slot::end;
  bool quoted = false;             ///< the value stands in quotes, which belong to the literals around it
  bool wants_correlation = false;  ///< of arguments: as far as the event is known by then

  friend bool operator==(const Step& a, const Step& b) {
    return a.slot == b.slot && a.quoted == b.quoted && a.wants_correlation == b.wants_correlation &&
           a.literal.view() == b.literal.view();
  }
};

/// The text from the end of the value before both ids to the begin of the one behind them, as one event had it.
struct Place {
  Literal literal;
  std::uint8_t process_at = 0, process_length = 0;
  std::uint8_t thread_at = 0, thread_length = 0;
  std::uint32_t id = 0;  ///< RawEvent::place
};

struct Skeleton {
  static constexpr std::size_t kMostSteps = 16;
  static constexpr std::uint8_t kNoPlace = 0xff;
  static constexpr std::size_t kPlaces = 2;
  static constexpr std::uint8_t kPlaceCredit = 64;

  Step steps[kMostSteps];
  Place places[kPlaces];  ///< the last ones, the last of all first; length 0: none
  std::uint8_t count = 0;
  std::uint8_t place_step = kNoPlace;        ///< steps[place_step] and the next one are the ids
  std::uint8_t place_credit = kPlaceCredit;  ///< so many more places in a row that were not known, and none is sought
  char phase = 0;
  bool keeps_correlation = false;  ///< wants_correlation() of the whole event
  std::uint8_t category_length = 0;
  char category[64]{};
  std::uint32_t shape = 0;
  std::uint32_t names[2]{};  ///< keys of the last names, the last one first
};

/// Cuts the event at `at` that parse_strict took whole, without any note, into the steps of `skeleton`. False if it has
/// what a skeleton cannot hold: values that need decoding, ids that are no text, too many or too long members.
[[nodiscard]] bool learn_skeleton(const char* at, const char* next, const RawEvent& event, Skeleton& skeleton);

/// All that matching an event needs; plain memory, because it is worked on by code for several instruction sets.
struct SkeletonTable {
  static constexpr unsigned kMost = 48;
  static constexpr unsigned kGuesses = 1U << 12;

  Skeleton* skeletons = nullptr;
  unsigned count = 0;
  unsigned last = 0;                         ///< the skeleton of the event before …
  unsigned before_last = 0;                  ///< … and the one before that
  std::uint8_t successors[kMost * kMost]{};  ///< [last · kMost + before_last]: which came then
  std::uint8_t shared[kMost][kMost]{};       ///< how many steps two skeletons begin with in common
  std::uint16_t name_guesses[kGuesses]{};    ///< by skeleton and its last two names: key of the name that came then
  const NameBook::Entry* names = nullptr;    ///< NameBook::entries()
  void* owner = nullptr;                     ///< for what is rare, see below
};

// What is rare, and so compiled once: called by the matching code of all instruction sets.

/// NameBook::key_of, and `names` brought up to date.
std::uint32_t name_key(SkeletonTable& table, const char* text, std::size_t length);
/// Remembers that a match of `skeleton` had the ids that `event` has, in the text of a Place that begins at `begin`.
void remember_place(SkeletonTable& table, Skeleton& skeleton, const char* begin, RawEvent& event);
/// A number that parse_plain_microseconds does not take: returns its end, or null if it is not fit either.
[[nodiscard]] const char* other_microseconds(const char* at, const char* end, Ns& value);
/// Reads args.correlation; false if there would be something to note.
[[nodiscard]] bool read_correlation(const char* at, const char* end, RawEvent& event);
/// scan_nested: after the object at `at`, or null; `found` as there if `wanted`.
[[nodiscard]] const char* skip_nested_patiently(const char* at, const char* end, bool wanted, const char*& found);
/// scan_string, `at` after the opening quote: the closing quote or null.
[[nodiscard]] const char* skip_string_patiently(const char* at, const char* end);

/// Matches the event at `at` ('{') in text that ends at `end` with kPadding readable bytes behind. Returns the end of
/// the event, with `event` overwritten, or null, with `event` in any state. `table.count` must not be 0.
using SkeletonMatcher = const char* (*)(SkeletonTable& table, const char* at, const char* end, RawEvent& event);

/// The fastest one that this machine runs.
[[nodiscard]] SkeletonMatcher skeleton_matcher();
/// All that this machine runs, the plain one first: for tests.
struct SkeletonMatchers {
  SkeletonMatcher plain = nullptr;
  SkeletonMatcher avx2 = nullptr;  ///< null if there is none
};
[[nodiscard]] SkeletonMatchers skeleton_matchers();

}  // namespace warpscope::ingest::json
