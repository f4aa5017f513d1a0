#pragma once
// What writer and reader of a block of events share; event_archive.md describes the format.
//
// Idea: a program writes the same few events over and over with other numbers. An event is cut into its form (the text
// between the values, and those values that are text) and its numbers. Forms are listed once a block and events name
// them; that sequence repeats itself as the program does. Numbers go to one column a key, as the difference from what
// one would expect: the number before, or the one of the last event of the same form.
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/time.hpp"
#include "core/store/decimal.hpp"
#include "core/trace/event_limit.hpp"

namespace warpscope::store {

/// What whoever asks for an event knows of it anyway, so that it is not kept twice. Any constant may have been added to
/// all begins of a source, as long as the reader adds the same as the writer did.
struct EventFacts {
  Ns begin = 0;
  Ns duration = 0;

  friend bool operator==(const EventFacts&, const EventFacts&) = default;
};

/// A block ends when it has as many events, as many numbers, or dictionaries of as many bytes: reading one event means
/// to go through its block.
inline constexpr std::size_t kBlockEvents = 16'384;
inline constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;
inline constexpr std::size_t kBlockDictionary = std::size_t{1} << 20;
/// No event of a sound block is longer: twice what is read, for a damaged one may be kept with what follows it.
inline constexpr std::size_t kLongestEventText = 2 * trace::kMostEventText + (std::size_t{1} << 20);

enum class SlotKind : std::uint8_t {
  text,        ///< a string that belongs to the form
  loose_text,  ///< a string whose number in its dictionary is a number of the event
  number,
};

enum class Fact : std::uint8_t { none, begin, duration };
inline constexpr unsigned kFacts = 3;

/// How a number of a form becomes text.
struct NumberFormat {
  DecimalForm form;
  Fact fact = Fact::none;  ///< is added to the number (then in ns, so the scale is 3)

  friend bool operator==(const NumberFormat&, const NumberFormat&) = default;
};

/// Codes of slots in a block: 0 text, 1 loose text, 2 and more numbers.
inline constexpr std::uint64_t kTextCode = 0;
inline constexpr std::uint64_t kLooseTextCode = 1;
inline constexpr std::uint64_t kScales = std::uint64_t{kMostDecimals} + 1;  // decimals that a number can have
inline constexpr std::uint64_t kNumberCodes = std::uint64_t{kFacts} * kDecimalStyles * kScales;

[[nodiscard]] constexpr std::uint64_t code_of(const NumberFormat& format) {
  return 2 +
         (static_cast<std::uint64_t>(format.fact) * kDecimalStyles + static_cast<std::uint64_t>(format.form.style)) *
             kScales +
         static_cast<std::uint64_t>(format.form.scale);
}
/// `code`: 2 and less than 2 + kNumberCodes.
[[nodiscard]] constexpr NumberFormat format_of(std::uint64_t code) {
  code -= 2;
  NumberFormat format;
  format.form.scale = static_cast<int>(code % kScales);
  format.form.style = static_cast<DecimalStyle>(code / kScales % kDecimalStyles);
  format.fact = static_cast<Fact>(code / kScales / kDecimalStyles);
  return format;
}

/// What the numbers of a column are differences from.
enum class Prediction : std::uint8_t {
  zero,
  previous,   ///< the column's number before
  same_form,  ///< the number at the same place of the last event of the same form; the column's number before, if none
  same_step,  ///< the column's number before, and what was added to it at the same place of the same form last time
};
inline constexpr std::size_t kPredictions = 4;

/// State of one place in one form.
struct PlaceState {
  std::uint64_t last = 0;
  std::uint64_t step = 0;
  bool seen = false;
};

/// What each prediction expects, given the column's last number.
[[nodiscard]] inline std::uint64_t expected(Prediction prediction, std::uint64_t previous, const PlaceState& place) {
  switch (prediction) {
    case Prediction::zero:
      return 0;
    case Prediction::previous:
      return previous;
    case Prediction::same_form:
      return place.seen ? place.last : previous;
    case Prediction::same_step:
      return previous + place.step;
  }
  return 0;
}

/// Takes note of a number.
inline void advance(std::uint64_t value, std::uint64_t& previous, PlaceState& place) {
  place = {value, value - previous, true};
  previous = value;
}

/// Numbers that are given out in order, as symbols: 0 the next new one, n + 1 number n.
class RisingIds {
 public:
  [[nodiscard]] std::uint64_t symbol(std::uint64_t id) {
    if (id == next_) return ++next_, 0;
    next_ = id < next_ ? next_ : id + 1;
    return id + 1;
  }
  [[nodiscard]] std::uint64_t id(std::uint64_t symbol) {
    if (symbol == 0) return next_++;
    next_ = symbol <= next_ ? next_ : symbol;
    return symbol - 1;
  }

 private:
  std::uint64_t next_ = 0;
};

/// Which form follows which: a guess from the two before, right so often that most of a sequence of forms becomes one
/// repeated byte. Symbols: 0 as guessed, 1 the first of its form (numbers rise), n + 2 form n.
class FormPredictor {
 public:
  [[nodiscard]] std::uint32_t guess() const { return table_[slot()]; }
  void advance(std::uint32_t form) {
    table_[slot()] = form;
    before_ = last_;
    last_ = form;
  }

 private:
  static constexpr unsigned kBits = 14;
  [[nodiscard]] std::size_t slot() const {
    return (last_ * 0x9E3779B1U ^ before_ * 0x85EBCA77U) * 0xC2B2AE3DU >> (32 - kBits);
  }

  std::array<std::uint32_t, std::size_t{1} << kBits> table_{};
  std::uint32_t last_ = 0;
  std::uint32_t before_ = 0;
};

}  // namespace warpscope::store
