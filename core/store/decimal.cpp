#include "core/store/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "core/base/ascii.hpp"

namespace warpscope::store {
namespace {

constexpr std::array<std::uint64_t, kMostDecimals + 1> kPowers{
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();

std::uint64_t power_between(const Decimal& number, const DecimalForm& form) {
  return kPowers[static_cast<std::size_t>(form.scale - number.decimals)];
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kMostDigits + 1 || !is_digit(text.front())) return std::nullopt;
  std::size_t at = 0;
  std::uint64_t mantissa = 0;
  const auto add = [&mantissa](char digit) { mantissa = mantissa * 10 + static_cast<std::uint64_t>(digit - '0'); };
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (at == kMostDigits) return std::nullopt;
    add(text[at]);
  }
  if (at > 1 && text.front() == '0') return std::nullopt;
  Decimal number;
  if (at < text.size()) {
    if (text[at] != '.') return std::nullopt;
    const std::size_t decimals = text.size() - at - 1;
    if (decimals == 0 || decimals > kMostDecimals) return std::nullopt;
    for (++at; at < text.size(); ++at) {
      if (!is_digit(text[at])) return std::nullopt;
      add(text[at]);
    }
    number.decimals = static_cast<int>(decimals);
  }
  if (mantissa > kLargest || (negative && mantissa == 0)) return std::nullopt;
  number.mantissa = negative ? -static_cast<std::int64_t>(mantissa) : static_cast<std::int64_t>(mantissa);
  return number;
}

bool fits(const Decimal& number, const DecimalForm& form) {
  if (number.decimals > form.scale) return false;
  const auto magnitude = static_cast<std::uint64_t>(number.mantissa < 0 ? -number.mantissa : number.mantissa);
  if (magnitude > kLargest / power_between(number, form)) return false;
  const bool zero_at_end = number.mantissa % 10 == 0;
  switch (form.style) {
    case DecimalStyle::trimmed:
      return number.decimals == 0 || !zero_at_end;
    case DecimalStyle::padded:
      return number.decimals == 1 || (number.decimals > 1 && !zero_at_end);
    case DecimalStyle::fixed:
      return number.decimals == form.scale;
  }
  return false;
}

DecimalForm form_for(const Decimal& number, const DecimalForm& form) {
  if (fits(number, form)) return form;
  const int scale = std::max(form.scale, number.decimals);
  for (const DecimalStyle style : {DecimalStyle::trimmed, DecimalStyle::padded, DecimalStyle::fixed})
    if (const DecimalForm wider{style, scale}; fits(number, wider)) return wider;
  return {DecimalStyle::fixed, number.decimals};
}

std::int64_t scaled(const Decimal& number, const DecimalForm& form) {
  return number.mantissa * static_cast<std::int64_t>(power_between(number, form));
}

void append_decimal(std::string& out, std::int64_t value, const DecimalForm& form) {
  const bool negative = value < 0;
  const std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const std::uint64_t power = kPowers[static_cast<std::size_t>(std::clamp(form.scale, 0, kMostDecimals))];
  std::array<char, 24> whole{};
  const auto printed = std::to_chars(whole.data(), whole.data() + whole.size(), magnitude / power);
  if (negative) out.push_back('-');
  out.append(whole.data(), printed.ptr);
  std::array<char, kMostDecimals> decimals{};
  std::uint64_t rest = magnitude % power;
  auto count = static_cast<std::size_t>(form.scale);
  for (std::size_t i = count; i > 0; --i, rest /= 10) decimals[i - 1] = static_cast<char>('0' + rest % 10);
  if (form.style != DecimalStyle::fixed) {
    const std::size_t least = form.style == DecimalStyle::padded ? 1 : 0;
    while (count > least && decimals[count - 1] == '0') --count;
  }
  if (count == 0) return;
  out.push_back('.');
  out.append(decimals.data(), count);
}

}  // namespace warpscope::store
