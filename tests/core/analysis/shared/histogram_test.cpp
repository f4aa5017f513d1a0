#include <algorithm>
#include <limits>
#include <random>

#include "core/analysis/shared/distribution.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::analysis;

namespace {

// Checks that bins are contiguous, contain every value, and count exactly the values that a click on them selects.
void check_bins(const std::vector<HistogramBin>& bins, const std::vector<Ns>& values) {
  REQUIRE_FALSE(bins.empty());
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (i > 0) CHECK(bins[i].begin == bins[i - 1].end);
    CHECK(bins[i].begin < bins[i].end);
    const auto held = std::count_if(values.begin(), values.end(), [&](Ns value) { return bins[i].holds(value); });
    CHECK(bins[i].count == static_cast<std::uint64_t>(held));
    total += bins[i].count;
  }
  CHECK(total == values.size());
  CHECK(bins.front().count > 0);
  CHECK(bins.back().count > 0);
}

std::vector<Ns> random_values(std::size_t count, Ns most) {
  std::mt19937_64 random(count);
  std::vector<Ns> values(count);
  for (Ns& value : values) value = 1 + static_cast<Ns>(random() % static_cast<std::uint64_t>(most));
  return values;
}

}  // namespace

TEST_CASE("histograms of no values and of equal values") {
  CHECK(histogram({})->empty());
  const std::vector<Ns> same(5, 1000);
  CHECK(*histogram(same) == std::vector<HistogramBin>{{1000, 1001, 5}});
  CHECK(histogram(same, {.bins = 0, .width = 0, .log = true})->size() == 1);
}

TEST_CASE("histogram bins count every value once") {
  for (const std::size_t count : {2u, 10u, 1000u}) {
    for (const Ns most : {Ns{3}, Ns{1000}, Ns{1} << 40}) {
      const std::vector<Ns> values = random_values(count, most);
      check_bins(*histogram(values), values);
      check_bins(*histogram(values, {.bins = 7, .width = 0, .log = false}), values);
      check_bins(*histogram(values, {.bins = 0, .width = most / 3, .log = false}), values);
      CHECK(histogram(values, {.bins = 7, .width = 0, .log = false})->size() <= 7);
    }
  }
  const std::vector<Ns> far{std::numeric_limits<Ns>::min(), 0, std::numeric_limits<Ns>::max() - 1};
  check_bins(*histogram(far, {.bins = 10, .width = 0, .log = false}), far);
}

TEST_CASE("edges of bins with a given width are multiples of it") {
  const std::vector<Ns> values{25, 31, 58};
  const auto bins = *histogram(values, {.bins = 0, .width = 10, .log = false});
  CHECK(bins == std::vector<HistogramBin>{{20, 30, 1}, {30, 40, 1}, {40, 50, 0}, {50, 60, 1}});
  const std::vector<Ns> below{-25};
  CHECK(histogram(below, {.bins = 0, .width = 10, .log = false})->front().begin == -30);
}

TEST_CASE("logarithmic bins grow by a constant factor") {
  const std::vector<Ns> values = random_values(2000, 1'000'000'000);
  const auto bins = *histogram(values, {.bins = 20, .width = 0, .log = true});
  check_bins(bins, values);
  const double first = static_cast<double>(bins[8].end) / static_cast<double>(bins[8].begin);
  const double last = static_cast<double>(bins[18].end) / static_cast<double>(bins[18].begin);
  CHECK(first == Approx(last).epsilon(0.01));

  const std::vector<Ns> with_none{0, 5, 5'000'000};
  check_bins(*histogram(with_none, {.bins = 10, .width = 0, .log = true}), with_none);
}

TEST_CASE("histogram rejects invalid options") {
  const std::vector<Ns> values{1, 1'000'000'000};
  const auto fine = histogram(values, {.bins = 0, .width = 10, .log = false});
  REQUIRE_FALSE(fine);
  CHECK(fine.error().message() == "bin width 10 ns: would produce 100000001 bins; choose 100 µs or more");
  CHECK_FALSE(histogram(values, {.bins = 0, .width = 10, .log = true}));
  CHECK_FALSE(histogram(values, {.bins = 0, .width = -1, .log = false}));
}
