#include "core/trace/counter.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::trace;

TEST_CASE("a counter's summary covers every sample in the window") {
  std::mt19937_64 random(8);
  for (const std::size_t count : {1u, 2u, 16u, 17u, 300u, 5000u}) {
    std::vector<Ns> times;
    std::vector<float> values;
    Ns at = 1000;
    for (std::size_t i = 0; i < count; ++i) {
      times.push_back(at);
      values.push_back(static_cast<float>(random() % 1000));
      at += 1 + static_cast<Ns>(random() % 500);
    }
    Counter counter("c", "", times, values);
    for (int k = 0; k < 200; ++k) {
      Interval window{static_cast<Ns>(random() % static_cast<std::uint64_t>(at + 500)),
                      static_cast<Ns>(random() % static_cast<std::uint64_t>(at + 500))};
      if (window.end < window.begin) std::swap(window.begin, window.end);
      const Counter::Summary found = counter.summary(window.begin, window.end);
      double area = 0;
      double low = 1e9;
      double high = -1e9;
      Ns covered = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const Ns from = std::max(times[i], window.begin);
        const Ns until = std::min(i + 1 < count ? times[i + 1] : window.end, window.end);
        if (until <= from) continue;
        area += static_cast<double>(values[i]) * static_cast<double>(until - from);
        covered += until - from;
        low = std::min<double>(low, values[i]);
        high = std::max<double>(high, values[i]);
      }
      REQUIRE(found.any == (covered > 0));
      if (!found.any) continue;
      REQUIRE(found.min == low);
      REQUIRE(found.max == high);
      REQUIRE(found.mean == Approx(area / static_cast<double>(covered)));
    }
  }
}

TEST_CASE("shifting a counter moves all its samples") {
  Counter counter("c", "B", {10, 20}, {1, 3});
  counter.shift(100);
  CHECK(counter.time(0) == 110);
  CHECK_FALSE(counter.summary(0, 105).any);
  CHECK(counter.summary(110, 120).mean == Approx(1));
}

TEST_CASE("NaN values of a counter are unknown") {
  const float unknown = std::numeric_limits<float>::quiet_NaN();
  std::mt19937_64 random(9);
  std::vector<Ns> times;
  std::vector<float> values;
  for (Ns i = 0; i < 3000; ++i) {
    times.push_back(i * 10);
    values.push_back(random() % 3 == 0 ? unknown : static_cast<float>(random() % 100));
  }
  const Counter counter("c", "", times, values);
  for (int k = 0; k < 300; ++k) {
    const auto a = static_cast<Ns>(random() % 30'000);
    const Ns b = a + 1 + static_cast<Ns>(random() % 2000);
    double area = 0;
    double known = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Ns until = std::min(i + 1 < times.size() ? times[i + 1] : b, b);
      if (std::isnan(values[i]) || until <= std::max(times[i], a)) continue;
      known += static_cast<double>(until - std::max(times[i], a));
      area += static_cast<double>(values[i]) * static_cast<double>(until - std::max(times[i], a));
    }
    const Counter::Summary found = counter.summary(a, b);
    REQUIRE(found.any == (known > 0));
    REQUIRE(found.known == Approx(known));
    if (found.any) REQUIRE(found.mean == Approx(area / known));
  }
  const Counter nothing("c", "", {1, 2}, {unknown, unknown});
  CHECK(nothing.max() == 0);
  CHECK_FALSE(nothing.summary(0, 10).any);
}

TEST_CASE("counters that share a time column take less memory") {
  const auto times = std::make_shared<const std::vector<Ns>>(std::vector<Ns>{1, 2, 3});
  const Counter a("a", "", times, {1, 2, 3});
  const Counter b("b", "", times, {4, 5, 6});
  CHECK(a.times() == b.times());
  CHECK(a.resident_bytes() < Counter("c", "", std::vector<Ns>{1, 2, 3}, {1, 2, 3}).resident_bytes());
}
