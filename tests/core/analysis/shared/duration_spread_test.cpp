#include "core/analysis/shared/duration_spread.hpp"

#include <cmath>
#include <random>

#include "core/analysis/shared/statistics.hpp"
#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::analysis;

namespace {

struct Names {
  StringTable table;
  std::vector<NamedSpread> spreads;

  void add(const std::string& name, std::initializer_list<Ns> durations) {
    NamedSpread spread{table.intern(name)};
    for (const Ns each : durations) spread.durations.add(each);
    spreads.push_back(spread);
  }
  [[nodiscard]] std::vector<std::string> folded(const Folding& folding) const {
    std::vector<std::string> told;
    for (const NamedSpread& each : fold(spreads, table, folding))
      told.push_back((each.name ? std::string(table.view(*each.name)) : "others") + " " +
                     std::to_string(each.durations.sum()) + " " + std::to_string(each.durations.max()));
    return told;
  }
};

using Told = std::vector<std::string>;

}  // namespace

TEST_CASE("a merged spread has the statistics of all durations") {
  std::mt19937 random(7);
  std::vector<Ns> values;
  DurationSpread all;
  std::array<DurationSpread, 3> parts;
  for (int i = 0; i < 1000; ++i) {
    const Ns value = 1'000'000'000 + static_cast<Ns>(random() % 1000);
    values.push_back(value);
    all.add(value);
    parts[random() % 2].add(value);  // the last one stays empty
  }
  DurationSpread merged;
  for (const DurationSpread& part : parts) merged.merge(part);
  const Statistics expected = statistics(values);
  for (const DurationSpread& spread : {all, merged}) {
    CHECK(spread.count() == 1000);
    CHECK(spread.sum() == expected.total);
    CHECK(spread.min() == expected.min);
    CHECK(spread.max() == expected.max);
    CHECK(spread.mean() == Approx(expected.mean).epsilon(1e-12));
    CHECK(spread.stddev() == Approx(expected.stddev * std::sqrt(1000.0 / 999)).epsilon(1e-9));
  }
  DurationSpread one;
  one.add(5);
  CHECK(one.stddev() == 0);
}

TEST_CASE("names beyond a count or a share of the time share one row") {
  Names names;
  names.add("c", {10, 10});
  names.add("a", {50});
  names.add("d", {6});
  names.add("b", {15, 5});
  names.add("e", {4});
  CHECK(names.folded({0, 0.1}) == Told{"a 50 50", "b 20 15", "c 20 10", "d 6 6", "e 4 4"});
  CHECK(names.folded({5, 0.1}) == Told{"a 50 50", "b 20 15", "c 20 10", "d 6 6", "e 4 4"});
  CHECK(names.folded({4, 1}) == Told{"a 50 50", "b 20 15", "c 20 10", "d 6 6", "others 4 4"});
  CHECK(names.folded({2, 1}) == Told{"a 50 50", "b 20 15", "others 30 10"});
  // a alone is half of the total; a and b together are 70 %.
  CHECK(names.folded({4, 0.5}) == Told{"a 50 50", "others 50 15"});
  CHECK(names.folded({4, 0.51}) == Told{"a 50 50", "b 20 15", "others 30 10"});
  CHECK(names.folded({4, 0}) == Told{"others 100 50"});
  const NameId e = names.spreads.back().name.value();
  CHECK(names.folded({2, 1, false, [e](NameId name) { return name == e; }}) ==
        Told{"a 50 50", "b 20 15", "e 4 4", "others 26 10"});
}

TEST_CASE("with hta, folded statistics are those of sums") {
  Names names;
  names.add("a", {30, 20});
  names.add("b", {20});
  names.add("c", {5, 5});
  // Running sums 50, 70, 80: their median is 70.
  CHECK(names.folded({2, 0.5, true}) == Told{"a 50 50", "b 20 20", "others 10 10"});
  CHECK(names.folded({2, 0.4, true}) == Told{"a 50 50", "others 30 20"});
  CHECK(names.folded({3, 0.4, true}) == Told{"a 50 30", "b 20 20", "c 10 5"});
}
