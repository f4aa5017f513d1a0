#include "core/analysis/shared/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/analysis/shared/distribution.hpp"
#include "tests/catch.hpp"
#include "tests/find_column.hpp"

using namespace warpscope;
using namespace warpscope::analysis;

TEST_CASE("statistics of no value, one value and known values") {
  std::vector<Ns> none;
  CHECK(statistics(none).count == 0);
  CHECK(statistics(none).p99 == 0);

  std::vector<Ns> one{7};
  const Statistics single = statistics(one);
  CHECK(single.count == 1);
  CHECK(single.median == 7);
  CHECK(single.p99 == 7);
  CHECK(single.stddev == 0);

  std::vector<Ns> values{9, 2, 4, 4, 5, 4, 7, 5};
  const Statistics known = statistics(values);
  CHECK(known.total == 40);
  CHECK(known.mean == 5);
  CHECK(known.stddev == 2);  // of the population; a sample's would be 2.138
  CHECK(known.median == 4.5);
  CHECK(known.min == 2);
  CHECK(known.max == 9);
  CHECK(known.p95 == Approx(8.3));  // h = 7 · 0.95 = 6.65: 7 + 0.65 · (9 - 7)
  CHECK(known.p99 == Approx(8.86));
}

TEST_CASE("quantiles agree with sorting, for any order and number of values") {
  std::mt19937_64 random(11);
  for (const std::size_t count : {2u, 3u, 19u, 20u, 21u, 100u, 101u, 5000u}) {
    std::vector<Ns> values(count);
    for (Ns& value : values) value = static_cast<Ns>(random() % 1000);
    std::vector<Ns> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const auto expected = [&](double fraction) {
      const double h = static_cast<double>(count - 1) * fraction;
      const auto low = static_cast<std::size_t>(h);
      const std::size_t high = std::min(count - 1, low + 1);
      return static_cast<double>(sorted[low]) +
             (h - static_cast<double>(low)) * static_cast<double>(sorted[high] - sorted[low]);
    };
    const Statistics result = statistics(values);
    CHECK(result.median == Approx(expected(0.5)));
    CHECK(result.p95 == Approx(expected(0.95)));
    CHECK(result.p99 == Approx(expected(0.99)));
    CHECK(quantile(sorted, 0.25) == Approx(expected(0.25)));
    CHECK(quantile(sorted, 1) == static_cast<double>(sorted.back()));
  }
}

TEST_CASE("the 99th percentile is missing for fewer than 100 values") {
  const auto p99 = [](Ns count) {
    std::vector<Ns> values;
    for (Ns value = 1; value <= count; ++value) values.push_back(value);
    const Table table = statistics_table("t", std::move(values));
    return table.at(0, *find_column(table, "p99"));
  };
  CHECK(p99(99).missing());
  CHECK(p99(100).number() == Approx(99.01));  // of 1 to 100: 1 + 99 · 0.99
}
