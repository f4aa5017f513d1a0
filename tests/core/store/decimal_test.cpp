#include "core/store/decimal.hpp"

#include "tests/catch.hpp"
#include "tests/tracegen/random.hpp"

using namespace warpscope;

namespace {

std::string printed(std::int64_t value, const store::DecimalForm& form) {
  std::string text;
  store::append_decimal(text, value, form);
  return text;
}

}  // namespace

TEST_CASE("decimal: plain numbers are read, anything else is not", "[store]") {
  const auto check = [](const char* text, std::int64_t mantissa, int decimals) {
    INFO(text);
    const auto number = store::parse_decimal(text);
    REQUIRE(number);
    CHECK(number->mantissa == mantissa);
    CHECK(number->decimals == decimals);
  };
  check("0", 0, 0);
  check("-17", -17, 0);
  check("12.50", 1250, 2);
  check("0.001", 1, 3);
  check("-0.5", -5, 1);
  check("0.0", 0, 1);
  check("1712195495523820.815", 1712195495523820815, 3);
  check("9223372036854775807", 9223372036854775807, 0);
  for (const char* text : {"", "-", "+1", "007", "-0", "-0.0", "1.", ".5", "1e5", "0x10", "1 ", " 1", "--1", "1.2.3",
                           "9223372036854775808", "18446744073709551617", "99999999999999999999", "0.1234567891"})
    CHECK_FALSE(store::parse_decimal(text));
}

TEST_CASE("decimal: each style prints what it says", "[store]") {
  using store::DecimalStyle;
  CHECK(printed(12500, {DecimalStyle::trimmed, 3}) == "12.5");
  CHECK(printed(12000, {DecimalStyle::trimmed, 3}) == "12");
  CHECK(printed(12500, {DecimalStyle::padded, 3}) == "12.5");
  CHECK(printed(12000, {DecimalStyle::padded, 3}) == "12.0");
  CHECK(printed(12500, {DecimalStyle::fixed, 3}) == "12.500");
  CHECK(printed(-1, {DecimalStyle::fixed, 3}) == "-0.001");
  CHECK(printed(-7, {DecimalStyle::trimmed, 0}) == "-7");
  CHECK(printed(std::numeric_limits<std::int64_t>::min(), {DecimalStyle::fixed, 9}) == "-9223372036.854775808");
}

TEST_CASE("decimal: any number comes back as it was written, whatever the form before it", "[store]") {
  tracegen::Random random(1);
  store::DecimalForm form;
  std::size_t kept = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text = random.below(4) == 0 ? "-" : "";
    const auto digits = random.below(12) + 1;
    for (std::int64_t d = 0; d < digits; ++d)
      text += static_cast<char>('0' + random.below(random.below(3) == 0 ? 1 : 10));
    if (random.below(2) == 0) {
      text += '.';
      const auto decimals = random.below(10) + 1;
      for (std::int64_t d = 0; d < decimals; ++d)
        text += static_cast<char>('0' + random.below(random.below(3) == 0 ? 1 : 10));
    }
    const auto number = store::parse_decimal(text);
    if (!number) continue;
    ++kept;
    if (random.below(50) == 0) form = {};
    form = store::form_for(*number, form);
    if (!store::fits(*number, form) || printed(store::scaled(*number, form), form) != text) {
      CAPTURE(text, form.scale, static_cast<int>(form.style));
      CHECK(store::fits(*number, form));
      CHECK(printed(store::scaled(*number, form), form) == text);
      break;
    }
  }
  CHECK(kept > 50'000);
}

TEST_CASE("decimal: a form stays while it fits, and fits all numbers of one printer", "[store]") {
  using store::DecimalStyle;
  const auto settle = [](std::initializer_list<const char*> texts, store::DecimalForm form = {}) {
    for (const char* text : texts) form = store::form_for(*store::parse_decimal(text), form);
    return form;
  };
  CHECK(settle({"12", "0.25", "3.125", "4"}) == store::DecimalForm{DecimalStyle::trimmed, 3});
  CHECK(settle({"12.125", "12.120", "5.000"}) == store::DecimalForm{DecimalStyle::fixed, 3});
  CHECK(settle({"12.125", "12.0", "5.5"}) == store::DecimalForm{DecimalStyle::padded, 3});
  CHECK(settle({"12"}, {DecimalStyle::trimmed, 3}) == store::DecimalForm{DecimalStyle::trimmed, 3});
}
