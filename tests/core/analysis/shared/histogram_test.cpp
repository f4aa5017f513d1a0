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
  CHECK(histogram({}).empty());
  const std::vector<Ns> same(5, 1000);
  CHECK(histogram(same) == std::vector<HistogramBin>{{1000, 1001, 5}});
}

TEST_CASE("histogram bins count every value once") {
  for (const std::size_t count : {2u, 10u, 1000u}) {
    for (const Ns most : {Ns{3}, Ns{1000}, Ns{1} << 40}) {
      const std::vector<Ns> values = random_values(count, most);
      check_bins(histogram(values), values);
      check_bins(histogram(values, 7), values);
      CHECK(histogram(values, 7).size() <= 7);
    }
  }
  const std::vector<Ns> far{std::numeric_limits<Ns>::min(), 0, std::numeric_limits<Ns>::max() - 1};
  check_bins(histogram(far, 10), far);
}
