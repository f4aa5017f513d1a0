#include "core/base/calendar.hpp"

#include <cstdint>
#include <limits>

#include "tests/catch.hpp"

using namespace warpscope;

TEST_CASE("timestamps are written in UTC") {
  CHECK(format_calendar_time(0) == "1970-01-01 00:00:00 UTC");
  CHECK(format_calendar_time(1'596'668'565'123'456'789) == "2020-08-05 23:02:45 UTC");
  CHECK(format_calendar_time(1'596'668'565'123'456'789, true) == "2020-08-05 23:02:45.123 UTC");
  CHECK(format_calendar_time(-1, true) == "1969-12-31 23:59:59.999 UTC");
  CHECK(format_calendar_time(std::numeric_limits<std::int64_t>::min()).starts_with("1677-09-21"));
}

TEST_CASE("timestamps are read in the formats of services") {
  constexpr std::int64_t kTime = 1'596'668'565'000'000'000;
  CHECK(parse_calendar_time("1596668565") == kTime);
  CHECK(parse_calendar_time("1596668565.25") == kTime + 250'000'000);
  CHECK(parse_calendar_time("2020-08-05T23:02:45Z") == kTime);
  CHECK(parse_calendar_time("2020-08-05 23:02:45") == kTime);
  CHECK(parse_calendar_time("2020-08-06T01:02:45.250000+02:00") == kTime + 250'000'000);
  CHECK(parse_calendar_time("2020-08-05T18:32:45-0430") == kTime);
  CHECK(parse_calendar_time("2020-08-05 23:02") == kTime - 45'000'000'000);
  CHECK(parse_calendar_time("2020-08-05") == kTime - (23 * 3600 + 2 * 60 + 45) * std::int64_t{1'000'000'000});
}

TEST_CASE("invalid timestamps are rejected") {
  for (const char* text :
       {"", "soon", "2020-13-05", "2020-02-30", "2020-08-05T25:00:00", "2020-08-05T23:02:45+", "20-8-5",
        "2020-08-05T23:02:45.Z", "1596668565x", "-", "2020-08-05 23:02:45 maybe", "9223372036854775807"}) {
    INFO(text);
    CHECK_FALSE(parse_calendar_time(text));
  }
}
