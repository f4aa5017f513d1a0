// parse_time: a sign and a sequence of NUMBER UNIT with descending units. Uses integer arithmetic only, no doubles.
#include <array>
#include <limits>
#include <optional>

#include "core/base/ascii.hpp"
#include "core/base/format.hpp"

namespace warpscope {

namespace {

struct UnitOfTime {
  std::string_view name;
  std::uint64_t ns;
};

constexpr std::array kUnitsOfTime{
    UnitOfTime{"ns", 1},
    UnitOfTime{"us", 1'000},
    UnitOfTime{"µs", 1'000},       // U+00B5 micro sign
    UnitOfTime{"\u03BCs", 1'000},  // Greek mu
    UnitOfTime{"ms", 1'000'000},
    UnitOfTime{"s", 1'000'000'000},
    UnitOfTime{"m", 60'000'000'000},
    UnitOfTime{"min", 60'000'000'000},
    UnitOfTime{"h", 3'600'000'000'000},
    UnitOfTime{"d", 86'400'000'000'000},
};

std::optional<std::uint64_t> unit_ns(std::string_view name) {
  for (const UnitOfTime& unit : kUnitsOfTime)
    if (unit.name == name) return unit.ns;
  return std::nullopt;
}

class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : text_(text) {}

  Result<Ns> read() {
    skip_spaces();
    const bool negative = take("-");
    if (!negative) static_cast<void>(take("+"));
    std::uint64_t least_unit = std::numeric_limits<std::uint64_t>::max();
    do {
      skip_spaces();
      if (Failure failure = term(least_unit)) return *failure;
      skip_spaces();
    } while (at_ < text_.size());
    // Excludes the minimum of Ns, so every time can be negated.
    if (sum_ > static_cast<std::uint64_t>(std::numeric_limits<Ns>::max())) return beyond_range();
    return negative ? -static_cast<Ns>(sum_) : static_cast<Ns>(sum_);
  }

 private:
  // Reads one NUMBER UNIT. `least_unit` contains the previous unit and is set to this one.
  Failure term(std::uint64_t& least_unit) {
    std::string whole;
    std::string fraction;
    read_digits(whole);
    const bool point = take(".");
    if (point) read_digits(fraction);
    if (whole.empty() && fraction.empty()) return error("no number found");
    skip_spaces();
    std::size_t end = at_;
    while (end < text_.size() && !is_digit(text_[end]) && text_[end] != ' ' && text_[end] != '-' && text_[end] != '.')
      ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    const bool first = least_unit == std::numeric_limits<std::uint64_t>::max();
    const bool bare = name.empty() && first && !point && end == text_.size();
    const std::optional<std::uint64_t> unit = bare ? std::optional<std::uint64_t>{1} : unit_ns(name);
    if (!unit) return error(name.empty() ? "a unit is missing" : "unknown unit '" + std::string(name) + "'");
    if (*unit >= least_unit) return error("units must go from larger to smaller");
    least_unit = *unit;
    at_ = end;
    return add(whole, fraction, *unit);
  }

  Failure add(std::string_view whole, std::string_view fraction, std::uint64_t unit) {
    constexpr std::uint64_t kLongest = static_cast<std::uint64_t>(std::numeric_limits<Ns>::max());
    std::uint64_t value = 0;
    for (const char c : whole) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (value > (kLongest / unit - digit) / 10) return beyond_range();
      value = value * 10 + digit;
    }
    value *= unit;
    std::uint64_t place = unit;
    for (const char c : fraction) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (place % 10 != 0) {
        if (digit != 0) return error("finer than a nanosecond");
        continue;
      }
      place /= 10;
      value += digit * place;
    }
    if (value > kLongest || sum_ > kLongest - value) return beyond_range();
    sum_ += value;
    return std::nullopt;
  }

  bool take(std::string_view what) {
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }

  // Reads digits, which may be grouped with thin spaces.
  void read_digits(std::string& out) {
    for (;;) {
      if (at_ < text_.size() && is_digit(text_[at_])) {
        out += text_[at_++];
      } else if (!out.empty() && text_.substr(at_).starts_with(kThinSpace) && at_ + kThinSpace.size() < text_.size() &&
                 is_digit(text_[at_ + kThinSpace.size()])) {
        at_ += kThinSpace.size();
      } else {
        return;
      }
    }
  }

  void skip_spaces() {
    while (take(" ") || take(kThinSpace) || take("\u00A0")) {
    }
  }

  [[nodiscard]] Error error(std::string what) const {
    return {"time '" + std::string(text_) + "'", std::move(what),
            "write a number and a unit, such as 12.3ms, 100us or 1.5s; a whole number without a unit is in ns"};
  }
  [[nodiscard]] Error beyond_range() const { return error("longer than 292 years"); }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace

Result<Ns> parse_time(std::string_view text) { return TimeReader(text).read(); }

bool is_time_unit(std::string_view word) { return unit_ns(word).has_value(); }

}  // namespace warpscope
