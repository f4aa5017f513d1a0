#include <limits>
#include <optional>
#include <random>
#include <string>

#include "core/ingest/json/number.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::ingest::json;

namespace {

std::optional<Ns> ns(std::string_view text) {
  const Number number = parse_microseconds(text);
  return number.status == NumberStatus::ok ? std::optional(number.value) : std::nullopt;
}

/// parse_plain_microseconds on padded text; nullopt unless it consumes the whole text.
std::optional<Ns> plain(const std::string& text) {
  const std::string padded = text + std::string(32, '\0');
  Ns value = 0;
  const char* const end = parse_plain_microseconds(padded.data(), value);
  return end == padded.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

TEST_CASE("number: microseconds are read exactly", "[kineto][number]") {
  CHECK(ns("1712195495519689.047") == 1712195495519689047);
  CHECK(ns("3605057436108.407") == 3605057436108407);
  CHECK(ns("0") == 0);
  CHECK(ns("-5") == -5000);
  CHECK(ns("-0.25") == -250);
  CHECK(ns(" 12.5 ") == 12500);
  CHECK(ns("1.7e15") == 1'700'000'000'000'000'000);
  CHECK(ns("1.7E+15") == 1'700'000'000'000'000'000);
  CHECK(ns("17071955095.8e5") == 1'707'195'509'580'000'000);
  CHECK(ns("1e-3") == 1);
  CHECK(ns("25e-4") == 3);
  CHECK(ns(".5") == 500);
  CHECK(ns("5.") == 5000);
  CHECK(ns("0e999999999999999999999") == 0);
  CHECK(ns("1e-999999999999999999999") == 0);
}

TEST_CASE("number: digits beyond the nanosecond round to the nearest", "[kineto][number]") {
  CHECK(ns("1.0004") == 1000);
  CHECK(ns("1.0005") == 1001);
  CHECK(ns("-1.0005") == -1001);
  CHECK(ns("1.00049999999999999999999") == 1000);
  CHECK(ns("0.9999") == 1000);
  CHECK(ns("0.0004") == 0);
}

TEST_CASE("number: invalid and out of range", "[kineto][number]") {
  for (const char* text : {"", "-", ".", "abc", "1.2.3", "1e", "inf", "nan", "0x10", "1 2", "--1", "+1"})
    CHECK(parse_microseconds(text).status == NumberStatus::not_a_number);
  CHECK(ns("9223372036854775.807") == std::numeric_limits<Ns>::max());
  for (const char* text : {"9223372036854775.808", "18446744073709551615", "1e30", "-1e300", "9223372036854775.8075"})
    CHECK(parse_microseconds(text).status == NumberStatus::out_of_range);
}

TEST_CASE("number: the fast path agrees with the general one or defers to it", "[kineto][number]") {
  CHECK(plain("1712195495519689.047") == 1712195495519689047);
  CHECK(plain("12345678") == 12'345'678'000);
  CHECK(plain("-5") == -5000);
  for (const char* text : {"1.0005", "1e3", "99999999999999999", "", "-", "\"1\"", "1.2.3"}) CHECK_FALSE(plain(text));
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random() % 4 == 0 ? "-" : "";
    text += std::to_string(random() >> random() % 64);
    if (random() % 2 == 0) text += "." + std::to_string(random() % 10'000);
    const auto fast = plain(text);
    if (fast)
      CHECK(fast == ns(text));
    else
      CHECK((text.size() > 15 || text.find('.') != std::string::npos));
  }
}

TEST_CASE("number: whole numbers", "[kineto][number]") {
  CHECK(parse_integer("9007199254740993").value == 9007199254740993);
  CHECK(parse_integer("9223372036854775807").value == std::numeric_limits<std::int64_t>::max());
  CHECK(parse_integer("-12").value == -12);
  CHECK(parse_integer("12.0").value == 12);
  CHECK(parse_integer("1e3").value == 1000);
  CHECK(parse_integer("9223372036854775808").status == NumberStatus::out_of_range);
  CHECK(parse_integer("1.5").status == NumberStatus::not_a_number);
  CHECK(parse_integer("0x1").status == NumberStatus::not_a_number);
}
