#include "core/base/rate.hpp"

#include "core/base/progress_text.hpp"
#include "tests/catch.hpp"

using namespace warpscope;

TEST_CASE("a steady rate is exact for irregular samples") {
  Rate rate;
  double t = 5;
  rate.update(t, 1000);
  CHECK(rate.per_second() == 0);
  for (const double step : {0.01, 0.3, 0.05, 2.0, 0.11, 7.0}) {
    t += step;
    rate.update(t, static_cast<std::uint64_t>(1000 + (t - 5) * 1e6));
    if (t >= 5.25) CHECK(rate.per_second() == Approx(1e6).epsilon(1e-4));
  }
  CHECK(rate.seconds_left(static_cast<std::uint64_t>(1000 + (t - 5) * 1e6) + 3'000'000) == Approx(3.0).epsilon(1e-4));
}

TEST_CASE("a new rate is adopted after some seconds") {
  Rate rate(3);
  std::uint64_t done = 0;
  double t = 0;
  const auto run = [&](double seconds, std::uint64_t per_tick) {
    for (const double end = t + seconds; t < end; t += 0.1) rate.update(t, done += per_tick);
  };
  run(20, 100);
  run(0.3, 200);
  CHECK(rate.per_second() < 1200);
  run(15, 200);
  CHECK(rate.per_second() == Approx(2000).epsilon(0.02));
}

TEST_CASE("remaining time is unknown without a reliable rate") {
  Rate rate;
  CHECK_FALSE(rate.seconds_left(10));
  rate.update(0, 0);
  rate.update(0.1, 5);
  CHECK_FALSE(rate.seconds_left(10));  // observed for too short a time
  rate.update(1, 5);
  CHECK(rate.seconds_left(5) == 0.0);
  CHECK(rate.seconds_left(10));
  for (int second = 2; second < 400; ++second) rate.update(second, 5);  // no progress
  CHECK_FALSE(rate.seconds_left(10));
}

TEST_CASE("restarted work resets the rate") {
  Rate rate;
  rate.update(0, 0);
  rate.update(10, 1'000'000);
  rate.update(11, 10);
  CHECK(rate.per_second() == 0);
  rate.update(12, 20);
  CHECK(rate.per_second() == Approx(10));
  rate.update(12, 500);  // the clock has stopped
  CHECK(rate.per_second() == Approx(10));
}

TEST_CASE("progress text") {
  CHECK(progress_text(1 << 20, 3 << 20, 0, std::nullopt) == "1.00 MiB of 3.00 MiB");
  CHECK(progress_text(0, 1024, 2048, 0.2) == "0 B of 1.00 KiB · 2.00 KiB/s · 1 s left");
  CHECK(progress_text(1024, 1024, 2048, 0.0) == "1.00 KiB read, building tracks");
  CHECK(progress_text(0, 1024, 1, 59.2).ends_with(" · 1 min left"));
  CHECK(progress_text(0, 1024, 1, 61).ends_with(" · 1 min left"));
  CHECK(progress_text(0, 1024, 1, 3723).ends_with("1 h 02 m left"));
}
