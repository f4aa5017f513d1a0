#pragma once
// Decimal numbers as exporters print them, as whole numbers of their last digit's unit and back, byte for byte. What a
// number looks like beyond its value (how many decimals, zeros at the end or not) is its form, which is nearly always
// the same for one key: a few numbers of a key tell the form of all others.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope::store {

inline constexpr int kMostDecimals = 9;
inline constexpr int kMostDigits = 19;

/// A number as it was written: mantissa / 10^decimals.
struct Decimal {
  std::int64_t mantissa = 0;
  int decimals = 0;
};

/// `text` as a number, if it is written the plain way (at most 9 decimals, no zeros in front, no exponent, no "-0") and
/// its digits are no more than 63 bits. O(length).
[[nodiscard]] std::optional<Decimal> parse_decimal(std::string_view text);

enum class DecimalStyle : std::uint8_t {
  trimmed,  ///< no zeros at the end, no point without decimals: 12.5, 12
  padded,   ///< no zeros at the end but the first decimal: 12.5, 12.0
  fixed,    ///< always as many decimals: 12.500
};
inline constexpr unsigned kDecimalStyles = 3;

/// How numbers of at most `scale` decimals are written.
struct DecimalForm {
  DecimalStyle style = DecimalStyle::trimmed;
  int scale = 0;

  friend bool operator==(const DecimalForm&, const DecimalForm&) = default;
};

/// Whether print(number scaled to the form) gives the number's own text again.
[[nodiscard]] bool fits(const Decimal& number, const DecimalForm& form);

/// A form that fits `number`, as near to `form` as can be.
[[nodiscard]] DecimalForm form_for(const Decimal& number, const DecimalForm& form);

/// The number in units of 10^-scale; it fits the form.
[[nodiscard]] std::int64_t scaled(const Decimal& number, const DecimalForm& form);

/// Appends `value` (units of 10^-scale) as the form writes it; at most 32 bytes. Takes any value.
void append_decimal(std::string& out, std::int64_t value, const DecimalForm& form);

}  // namespace warpscope::store
