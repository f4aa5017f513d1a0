#pragma once
// Skeletons learned from events: the fast path for text that resembles earlier events.
//
// Idea: a program writes each kind of event with the same text between the values, including white space and the order
// of keys. So each strictly parsed event is kept as a list of steps: "this literal text, then a value of this kind".
// The next event is compared with that text, 32 bytes at a time, and only its values are parsed. Phase and category are
// part of the literal text, so a match determines both. The thread is also determined if the text of both ids matches
// an earlier event. The previous two events predict the next skeleton.
//
// Why this is exact: in a match, each byte of the event either equals a byte that the strict parser accepted at the
// same position in the same tokens, or is part of a value that is parsed here by the strict parser's own rules. The
// only exception: the strict parser notes arguments whose tokens are out of order, and a skeleton may miss that
// (skip_object). Anything those rules do not accept immediately (escapes, non-ASCII text, corruption, the end of the
// text) is not a match; strict.hpp then parses the event. In measurements, matching the learned text between values is
// two to three times as fast as parsing it.
#include <cstdint>
#include <string_view>

#include "core/ingest/events/raw_event.hpp"

namespace warpscope::ingest::json {

/// Up to 64 bytes of required text.
struct Literal {
  static constexpr std::size_t kLongest = 64;

  alignas(32) char text[kLongest]{};
  std::uint32_t ignored[2]{~0U, ~0U};  ///< per half; if bit i is set, byte i is not compared
  std::uint8_t length = 0;

  Literal() = default;
  /// `from` has at most kLongest bytes.
  explicit Literal(std::string_view from);
  [[nodiscard]] std::string_view view() const { return {text, length}; }
};

/// Kind of value after a step's literal.
enum class Slot : std::uint8_t {
  none,  ///< nothing: the literal continues in the next step
  end,   ///< nothing: end of the event
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
  bool quoted = false;             ///< the value is in quotes, which are part of the adjacent literals
  bool wants_correlation = false;  ///< for arguments, based on the fields known at that point

  friend bool operator==(const Step& a, const Step& b) {
    return a.slot == b.slot && a.quoted == b.quoted && a.wants_correlation == b.wants_correlation &&
           a.literal.view() == b.literal.view();
  }
};

/// The text of one event around both ids: from the end of the value before them to the start of the value after them.
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
  static constexpr std::size_t kArgumentWords = 8;

  Step steps[kMostSteps];
  Place places[kPlaces];  ///< most recent first; length 0: none
  std::uint8_t count = 0;
  std::uint8_t place_step = kNoPlace;        ///< steps[place_step] and the next step are the ids
  std::uint8_t place_credit = kPlaceCredit;  ///< stop searching after this many more unknown places in a row
  char phase = 0;
  bool keeps_correlation = false;  ///< wants_correlation() of the whole event
  std::uint8_t category_length = 0;
  char category[64]{};
  std::uint32_t shape = 0;
  std::uint64_t valid_arguments[kArgumentWords]{};  ///< one bit for each shape of valid arguments, see skip_object
  std::uint32_t names[2]{};                         ///< keys of the last names, most recent first
};

/// Splits the event at `at` into the steps of `skeleton`. parse_strict must have accepted the event without notes.
/// Returns false if a skeleton cannot represent it: values that need decoding, ids that are neither strings nor
/// numbers, or members that are too numerous or too long.
[[nodiscard]] bool learn_skeleton(const char* at, const char* next, const RawEvent& event, Skeleton& skeleton);

/// All data needed to match an event; plain memory, because code for several instruction sets uses it.
struct SkeletonTable {
  static constexpr unsigned kMost = 48;
  static constexpr unsigned kGuesses = 1U << 12;

  Skeleton* skeletons = nullptr;
  unsigned count = 0;
  std::uint64_t trusted = 1;                 ///< 0: check the arguments of every event, see skip_object
  unsigned last = 0;                         ///< the skeleton of the previous event …
  unsigned before_last = 0;                  ///< … and of the one before
  std::uint8_t successors[kMost * kMost]{};  ///< [last · kMost + before_last]: the skeleton that followed
  std::uint8_t shared[kMost][kMost]{};       ///< number of common leading steps of two skeletons
  std::uint16_t name_guesses[kGuesses]{};    ///< by skeleton and its last two names: key of the name that followed
  const std::string_view* names = nullptr;   ///< Interner::views()
  void* owner = nullptr;                     ///< for the rare cases below
};

// Rare cases. Compiled once; called by the matchers of all instruction sets.

/// Returns the key of a name, from 1 to 2^16 - 1; 0 if the name is too long or there are too many names. Updates
/// `names`.
std::uint32_t name_key(SkeletonTable& table, const char* text, std::size_t length);
/// Records the ids of `event`, which matched `skeleton`, in a Place whose text starts at `begin`.
void remember_place(SkeletonTable& table, Skeleton& skeleton, const char* begin, RawEvent& event);
/// Parses a number that parse_plain_microseconds rejects: returns its end, or null if this function rejects it as well.
[[nodiscard]] const char* other_microseconds(const char* at, const char* end, Ns& value);
/// Reads args.correlation; returns false if this would require a note.
[[nodiscard]] bool read_correlation(const char* at, const char* end, RawEvent& event);
/// Wraps scan_nested: returns the position after the object at `at`, or null. If `wanted`, sets `found`.
[[nodiscard]] const char* skip_nested_patiently(const char* at, const char* end, bool wanted, const char*& found);
/// Wraps scan_number.
[[nodiscard]] const char* skip_number_patiently(const char* at, const char* end);
/// Returns the position after the number that contains the byte at `at`; null if there is none.
[[nodiscard]] const char* skip_number_around(const char* at, const char* end);
/// Wraps scan_string, with `at` after the opening quote: returns the closing quote or null.
[[nodiscard]] const char* skip_string_patiently(const char* at, const char* end);

/// Matches the event at `at` ('{') in text that ends at `end`, followed by kPadding readable bytes. Returns the end of
/// the event and overwrites `event`, or returns null and leaves `event` unspecified. `table.count` must not be 0.
using SkeletonMatcher = const char* (*)(SkeletonTable& table, const char* at, const char* end, RawEvent& event);

// The matchers of each instruction set; see skeleton_kernel.hpp.
namespace plain {
[[nodiscard]] const char* match(SkeletonTable& table, const char* at, const char* end, RawEvent& event);
}

#if defined(__x86_64__)
namespace avx2 {
/// Requires AVX2, BMI, BMI2, POPCNT and PCLMULQDQ.
[[nodiscard]] const char* match(SkeletonTable& table, const char* at, const char* end, RawEvent& event);
}  // namespace avx2
#endif

/// Returns the fastest matcher supported by this machine.
[[nodiscard]] SkeletonMatcher skeleton_matcher();
/// All matchers supported by this machine, for tests.
struct SkeletonMatchers {
  SkeletonMatcher plain = nullptr;
  SkeletonMatcher avx2 = nullptr;  ///< null if there is none
};
[[nodiscard]] SkeletonMatchers skeleton_matchers();

}  // namespace warpscope::ingest::json
