#pragma once
// Shared definitions of the writer and reader of event blocks; event_archive.md describes the format.
//
// A program emits the same few events over and over with different numbers. An event is split into its form (the text
// between the values, and values that are text) and its numbers. A block lists each form once and events refer to them;
// this sequence is as repetitive as the program. Numbers go to one column per key, as the difference from a prediction:
// the previous number, or the one in the last event of the same form.
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/time.hpp"
#include "core/store/decimal.hpp"
#include "core/trace/event_limit.hpp"

namespace warpscope::store {

/// Properties of an event that the caller knows from elsewhere, so the archive does not repeat them. All start times of
/// a source may be shifted by a constant if the writer and the reader use the same one.
struct EventFacts {
  Ns begin = 0;
  Ns duration = 0;

  friend bool operator==(const EventFacts&, const EventFacts&) = default;
};

/// A block ends when it reaches this many events, this many numbers, or dictionaries of this many bytes. Reading one
/// event decodes its block.
inline constexpr std::size_t kBlockEvents = 16'384;
inline constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;
inline constexpr std::size_t kBlockDictionary = std::size_t{1} << 20;
/// No event of a valid block is longer. Twice what is read, because a corrupt event may be stored together with the
/// text after it.
inline constexpr std::size_t kLongestEventText = 2 * trace::kMostEventText + (std::size_t{1} << 20);

enum class SlotKind : std::uint8_t {
  text,        ///< a string that is part of the form
  loose_text,  ///< a string stored as a number: its index in a dictionary
  number,
};

enum class Fact : std::uint8_t { none, begin, duration };
inline constexpr unsigned kFacts = 3;

/// How a number of a form is converted to text.
struct NumberFormat {
  DecimalForm form;
  Fact fact = Fact::none;  ///< added to the number (then in ns, so the scale is 3)

  friend bool operator==(const NumberFormat&, const NumberFormat&) = default;
};

/// Codes of slots in a block: 0 text, 1 loose text, 2 and above numbers.
inline constexpr std::uint64_t kTextCode = 0;
inline constexpr std::uint64_t kLooseTextCode = 1;
inline constexpr std::uint64_t kScales = std::uint64_t{kMostDecimals} + 1;  // decimals a number can have
inline constexpr std::uint64_t kNumberCodes = std::uint64_t{kFacts} * kDecimalStyles * kScales;

[[nodiscard]] constexpr std::uint64_t code_of(const NumberFormat& format) {
  return 2 +
         (static_cast<std::uint64_t>(format.fact) * kDecimalStyles + static_cast<std::uint64_t>(format.form.style)) *
             kScales +
         static_cast<std::uint64_t>(format.form.scale);
}
/// `code`: at least 2 and less than 2 + kNumberCodes.
[[nodiscard]] constexpr NumberFormat format_of(std::uint64_t code) {
  code -= 2;
  NumberFormat format;
  format.form.scale = static_cast<int>(code % kScales);
  format.form.style = static_cast<DecimalStyle>(code / kScales % kDecimalStyles);
  format.fact = static_cast<Fact>(code / kScales / kDecimalStyles);
  return format;
}

/// How the numbers of a column are predicted; the column stores the differences.
enum class Prediction : std::uint8_t {
  zero,
  previous,   ///< previous number of the column
  same_form,  ///< number at the same place in the last event of the same form, else as `previous`
  same_step,  ///< previous number of the column plus the last step at the same place of the same form
};
inline constexpr std::size_t kPredictions = 4;

/// State of one place in a form.
struct PlaceState {
  std::uint64_t last = 0;
  std::uint64_t step = 0;
  bool seen = false;
};

/// Returns the predicted number, given the column's previous number.
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

/// Updates the state with a number.
inline void advance(std::uint64_t value, std::uint64_t& previous, PlaceState& place) {
  place = {value, value - previous, true};
  previous = value;
}

/// Encodes numbers that are assigned in order: 0 for the next new number, n + 1 for number n.
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

/// Predicts the next form from the two before it. Most predictions are right, so most of a sequence of forms becomes
/// one repeated byte. Symbols: 0 as predicted, 1 a new form (numbers ascend), n + 2 form n.
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
