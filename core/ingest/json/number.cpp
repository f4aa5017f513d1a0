#include "core/ingest/json/number.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/ingest/json/scan.hpp"

namespace warpscope::ingest::json {
namespace {

/// A decimal number split into digits and exponent: 0.d₁d₂d₃… · 10^point, where dᵢ are the digits of `whole` followed
/// by the digits of `fraction`.
struct Decimal {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  std::int64_t point = 0;

  [[nodiscard]] std::int64_t digits() const { return static_cast<std::int64_t>(whole.size() + fraction.size()); }
  [[nodiscard]] unsigned digit(std::int64_t i) const {
    const auto at = static_cast<std::size_t>(i);
    return static_cast<unsigned>((at < whole.size() ? whole[at] : fraction[at - whole.size()]) - '0');
  }
};

constexpr std::int64_t kLargestExponent = 1'000'000'000;

std::string_view take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// Returns the exponent after 'e', clamped to ±kLargestExponent.
std::optional<std::int64_t> take_exponent(std::string_view& text) {
  const bool negative = take(text, '-');
  if (!negative) take(text, '+');
  const std::string_view digits = take_digits(text);
  if (digits.empty()) return std::nullopt;
  std::int64_t exponent = 0;
  for (const char c : digits)
    if (exponent < kLargestExponent) exponent = exponent * 10 + (c - '0');
  return negative ? -exponent : exponent;
}

std::optional<Decimal> split(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  Decimal decimal;
  decimal.negative = take(text, '-');
  decimal.whole = take_digits(text);
  if (take(text, '.')) decimal.fraction = take_digits(text);
  if (decimal.digits() == 0) return std::nullopt;
  decimal.point = static_cast<std::int64_t>(decimal.whole.size());
  if (take(text, 'e') || take(text, 'E')) {
    const auto exponent = take_exponent(text);
    if (!exponent) return std::nullopt;
    decimal.point += *exponent;
  }
  if (!text.empty()) return std::nullopt;
  return decimal;
}

/// Returns the number times 10^scale, rounded to an integer.
Number scaled(const std::optional<Decimal>& parts, std::int64_t scale) {
  if (!parts) return {};
  const Decimal& decimal = *parts;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::int64_t wanted = decimal.point + scale;
  std::uint64_t value = 0;
  std::int64_t i = 0;
  for (; i < decimal.digits() && i < wanted; ++i) {
    const unsigned digit = decimal.digit(i);
    if (value > (kMost - digit) / 10) return {NumberStatus::out_of_range, 0};
    value = value * 10 + digit;
  }
  for (std::int64_t zeros = wanted - i; value != 0 && zeros > 0; --zeros) {
    if (value > kMost / 10) return {NumberStatus::out_of_range, 0};
    value *= 10;
  }
  if (wanted >= 0 && wanted < decimal.digits() && decimal.digit(wanted) >= 5) {
    if (value == kMost) return {NumberStatus::out_of_range, 0};
    ++value;
  }
  const auto magnitude = static_cast<std::int64_t>(value);
  return {NumberStatus::ok, decimal.negative ? -magnitude : magnitude};
}

bool is_whole(const Decimal& decimal) {
  for (std::int64_t i = std::max<std::int64_t>(decimal.point, 0); i < decimal.digits(); ++i)
    if (decimal.digit(i) != 0) return false;
  return true;
}

}  // namespace

Number parse_microseconds(std::string_view text) { return scaled(split(text), 3); }

Number parse_seconds(std::string_view text) { return scaled(split(text), 9); }

Number parse_integer(std::string_view text) {
  const auto decimal = split(text);
  return decimal && is_whole(*decimal) ? scaled(decimal, 0) : Number{};
}

}  // namespace warpscope::ingest::json
