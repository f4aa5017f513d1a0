#pragma once
// Converts decimal numbers as printed by exporters to integers in units of their last digit, and back byte for byte.
// The form of a number is its notation apart from its value: the number of decimals, and whether zeros follow. It is
// nearly always the same for all numbers of a key.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope::store {

inline constexpr int kMostDecimals = 9;
inline constexpr int kMostDigits = 19;

/// A number as written: mantissa / 10^decimals.
struct Decimal {
  std::int64_t mantissa = 0;
  int decimals = 0;
};

/// Parses `text` if it is in plain notation (at most 9 decimals, no leading zeros, no exponent, no "-0") and its digits
/// fit in 63 bits. O(length).
[[nodiscard]] std::optional<Decimal> parse_decimal(std::string_view text);

enum class DecimalStyle : std::uint8_t {
  trimmed,  ///< no trailing zeros, no point without decimals: 12.5, 12
  padded,   ///< no trailing zeros except the first decimal: 12.5, 12.0
  fixed,    ///< fixed number of decimals: 12.500
};
inline constexpr unsigned kDecimalStyles = 3;

/// Notation of numbers with at most `scale` decimals.
struct DecimalForm {
  DecimalStyle style = DecimalStyle::trimmed;
  int scale = 0;

  friend bool operator==(const DecimalForm&, const DecimalForm&) = default;
};

/// True if printing the scaled number in the form gives its original text.
[[nodiscard]] bool fits(const Decimal& number, const DecimalForm& form);

/// Returns a form that fits `number`, as close to `form` as possible.
[[nodiscard]] DecimalForm form_for(const Decimal& number, const DecimalForm& form);

/// Returns the number in units of 10^-scale. Requires that it fits the form.
[[nodiscard]] std::int64_t scaled(const Decimal& number, const DecimalForm& form);

/// Appends `value` (in units of 10^-scale) in the form; at most 32 bytes. Accepts any value.
void append_decimal(std::string& out, std::int64_t value, const DecimalForm& form);

}  // namespace warpscope::store
