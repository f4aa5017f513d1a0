#include "core/base/format.hpp"

#include <limits>
#include <random>
#include <set>

#include "tests/catch.hpp"

using namespace warpscope;

namespace {

constexpr Ns kMs = 1'000'000;
constexpr Ns kS = 1'000'000'000;

}  // namespace

TEST_CASE("durations are formatted by size") {
  CHECK(format_duration(812) == "812 ns");
  CHECK(format_duration(3'410) == "3.41 µs");
  CHECK(format_duration(12'300'000) == "12.3 ms");
  CHECK(format_duration(1'204'000'000) == "1.204 s");
  CHECK(format_duration(123 * kS) == "2 m 03 s");
  CHECK(format_duration(41'200 * kMs) == "41.2 s");
}

TEST_CASE("durations round to the nearest and change unit when rounding reaches it") {
  CHECK(format_duration(0) == "0 ns");
  CHECK(format_duration(999) == "999 ns");
  CHECK(format_duration(1'000) == "1.00 µs");
  CHECK(format_duration(9'994) == "9.99 µs");
  CHECK(format_duration(9'995) == "10.0 µs");
  CHECK(format_duration(99'949) == "99.9 µs");
  CHECK(format_duration(99'950) == "100 µs");
  CHECK(format_duration(999'499) == "999 µs");
  CHECK(format_duration(999'500) == "1.00 ms");
  CHECK(format_duration(999'499'999) == "999 ms");
  CHECK(format_duration(999'500'000) == "1.000 s");
  CHECK(format_duration(9'999'499'999) == "9.999 s");
  CHECK(format_duration(9'999'500'000) == "10.0 s");
  CHECK(format_duration(59'949 * kMs) == "59.9 s");
  CHECK(format_duration(59'950 * kMs) == "1 m 00 s");
  CHECK(format_duration(3'599'499 * kMs) == "59 m 59 s");
  CHECK(format_duration(3'599'500 * kMs) == "1 h 00 m");
  CHECK(format_duration(3'720 * kS) == "1 h 02 m");
  CHECK(format_duration(86'400 * kS - 1) == "1 d 00 h");
  CHECK(format_duration((3 * 24 + 4) * 3'600 * kS) == "3 d 04 h");
}

TEST_CASE("durations of any sign and size") {
  CHECK(format_duration(-812) == "-812 ns");
  CHECK(format_duration(-1'204 * kMs) == "-1.204 s");
  CHECK(format_duration(-123 * kS) == "-2 m 03 s");
  CHECK(format_duration(std::numeric_limits<Ns>::max()) == "106\u2009752 d");
  CHECK(format_duration(std::numeric_limits<Ns>::min()) == "-106\u2009752 d");
}

TEST_CASE("ruler labels have enough digits to differ from their neighbors") {
  CHECK(format_time_at(12'310 * kMs, 10 * kMs) == "12.310 s");
  CHECK(format_time_at(12'300 * kMs, 10 * kMs) == "12.300 s");
  CHECK(format_time_at(12'310'450'000, 50'000) == "12.310\u2009450 s");
  CHECK(format_time_at(12'310'450'123, 1) == "12.310\u2009450\u2009123 s");
  CHECK(format_time_at(12 * kS, 2 * kS) == "12 s");
  CHECK(format_time_at(5 * kMs, kMs) == "5 ms");
  CHECK(format_time_at(5'250'000, 50'000) == "5.250 ms");
  CHECK(format_time_at(450, 10) == "450 ns");
  CHECK(format_time_at(450'000, 1'000) == "450 µs");
  CHECK(format_time_at(123'310 * kMs, 10 * kMs) == "2 m 03.310 s");
  CHECK(format_time_at(3'723 * kS, 60 * kS) == "1 h 02 m 03 s");
  CHECK(format_time_at(0, 10 * kMs) == "0 ms");
  CHECK(format_time_at(0, kS) == "0 s");
  CHECK(format_time_at(-12'310 * kMs, 10 * kMs) == "-12.310 s");
  CHECK(format_time_at(59'999'999'999, kMs) == "1 m 00.000 s");
  CHECK(format_time_at(std::numeric_limits<Ns>::min(), 0).front() == '-');
}

TEST_CASE("marks of one ruler all have different labels") {
  std::mt19937_64 random(7);
  for (Ns resolution = 1; resolution <= 100 * kS; resolution *= 10) {
    for (const Ns factor : {1, 2, 5}) {
      const Ns step = resolution * factor;
      const Ns first = static_cast<Ns>(random() % 100'000) * step;
      std::set<std::string> labels;
      for (int i = -50; i < 50; ++i) labels.insert(format_time_at(first + i * step, step));
      CHECK(labels.size() == 100);
    }
  }
}

TEST_CASE("bytes in binary units") {
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(812) == "812 B");
  CHECK(format_bytes(1023) == "1023 B");
  CHECK(format_bytes(1024) == "1.00 KiB");
  CHECK(format_bytes(3'492) == "3.41 KiB");
  CHECK(format_bytes(12'897'485) == "12.3 MiB");
  CHECK(format_bytes(1'048'575) == "1.00 MiB");
  CHECK(format_bytes(1000 * 1024) == "1000 KiB");
  CHECK(format_bytes(std::int64_t{80} << 30) == "80.0 GiB");
  CHECK(format_bytes(-2048) == "-2.00 KiB");
  CHECK(format_bytes(std::numeric_limits<std::int64_t>::max()) == "8.00 EiB");
}

TEST_CASE("counts and shares") {
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1'000) == "1\u2009000");
  CHECK(format_count(-1'234'567) == "-1\u2009234\u2009567");
  CHECK(format_count(std::numeric_limits<std::int64_t>::min()) ==
        "-9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808");
  CHECK(format_share(0.813) == "81.3 %");
  CHECK(format_share(0) == "0.0 %");
  CHECK(format_share(-0.00001) == "0.0 %");
  CHECK(format_share(1) == "100.0 %");
  CHECK(format_share(0.0 / 1e-300 - std::numeric_limits<double>::quiet_NaN()) == "–");
}

TEST_CASE("times are parsed exactly") {
  const auto ns = [](std::string_view text) {
    INFO(text);
    const Result<Ns> time = parse_time(text);
    REQUIRE(time.ok());
    return *time;
  };
  CHECK(ns("0") == 0);
  CHECK(ns("1500") == 1500);
  CHECK(ns("12.3ms") == 12'300'000);
  CHECK(ns("1.5s") == 1'500'000'000);
  CHECK(ns("100us") == 100'000);
  CHECK(ns("100 µs") == 100'000);
  CHECK(ns("100\u2009μs") == 100'000);  // thin space, Greek mu
  CHECK(ns(" 7 ns ") == 7);
  CHECK(ns(".5us") == 500);
  CHECK(ns("2.us") == 2'000);
  CHECK(ns("-5ms") == -5'000'000);
  CHECK(ns("+5ms") == 5'000'000);
  CHECK(ns("2 m 03 s") == 123 * kS);
  CHECK(ns("2m3.5s") == 123'500 * kMs);
  CHECK(ns("1 h 02 m") == 3'720 * kS);
  CHECK(ns("1d") == 86'400 * kS);
  CHECK(ns("3min") == 180 * kS);
  CHECK(ns("0.1234567890s") == 123'456'789);
  CHECK(ns("12.310\u2009450 s") == 12'310'450'000);
  CHECK(ns("9223372036854775807") == std::numeric_limits<Ns>::max());
  CHECK(ns("9223372036.854775807s") == std::numeric_limits<Ns>::max());
}

TEST_CASE("invalid times fail with advice") {
  for (const char* text : {"",
                           " ",
                           "ms",
                           "12x",
                           "12 parsecs",
                           "1.5",
                           "0.5ns",
                           "1.2.3ms",
                           "1e3us",
                           "--1ms",
                           "5ms 2s",
                           "5s 2s",
                           "5ms 2",
                           "1s-2s",
                           "9223372036854775808",
                           "9223372036.854775808s",
                           "106752d",
                           "1.0000000001s",
                           "99999999999999999999999",
                           "µs",
                           ".ms",
                           "-",
                           "1 m 2 m"}) {
    INFO(text);
    const Result<Ns> time = parse_time(text);
    REQUIRE_FALSE(time.ok());
    CHECK_FALSE(time.error().what.empty());
    CHECK_FALSE(time.error().advice.empty());
  }
}

TEST_CASE("every formatted duration parses back to the shown digits") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; ++i) {
    const Ns value = static_cast<Ns>(random() >> (1 + random() % 63)) * (random() % 2 == 0 ? 1 : -1);
    const std::string text = format_duration(value);
    const Result<Ns> back = parse_time(text);
    INFO(value << " " << text);
    REQUIRE(back.ok());
    CHECK(format_duration(*back) == text);
    const Result<Ns> exact = parse_time(format_time_at(value, 1));
    REQUIRE(exact.ok());
    CHECK(*exact == value);
  }
}

TEST_CASE("sizes are parsed as people write them") {
  const auto bytes = [](std::string_view text) { return parse_bytes(text).value(); };
  CHECK(bytes("4096") == 4096);
  CHECK(bytes("8G") == std::uint64_t{8} << 30);
  CHECK(bytes(" 8 gib ") == std::uint64_t{8} << 30);
  CHECK(bytes("20 GB") == 20'000'000'000);
  CHECK(bytes("1.5M") == 3u << 19);
  CHECK(bytes(".5k") == 512);
  CHECK(bytes("2 T") == std::uint64_t{2} << 40);
  CHECK(bytes("0") == 0);
  CHECK(bytes("9223372036854775807") == 9223372036854775807u);
  CHECK(bytes("0.99999999999999999999999999999999 B") == 0);
  for (const std::int64_t written : {std::int64_t{0}, std::int64_t{812}, std::int64_t{64} << 20, std::int64_t{3} << 40})
    CHECK(bytes(format_bytes(written)) == static_cast<std::uint64_t>(written));
  for (const std::string_view bad : {"", " ", "G", ".", "-1", "+1", "1..2", "1.2.3", "8 GG", "1 X", "8G 2M", "1e9",
                                     "9223372036854775808", "8388608T", "99999999999999999999999999999999999999999"})
    CHECK_FALSE(parse_bytes(bad).ok());
}
