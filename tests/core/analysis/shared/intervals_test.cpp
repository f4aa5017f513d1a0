// Disjoint intervals.
#include "core/analysis/shared/intervals.hpp"

#include "tests/catch.hpp"

using namespace warpscope;

TEST_CASE("a walk over parts finds the times within them") {
  const std::vector<Interval> parts{{10, 20}, {20, 30}, {50, 60}};
  analysis::IntervalWalk walk(parts);
  CHECK_FALSE(walk.contains(9));
  CHECK(walk.contains(10));
  CHECK(walk.contains(10));
  CHECK(walk.contains(20));
  CHECK(walk.contains(29));
  CHECK_FALSE(walk.contains(30));
  CHECK(walk.contains(50));
  CHECK_FALSE(walk.contains(60));
  CHECK_FALSE(walk.contains(70));
  const std::vector<Interval> none;
  CHECK_FALSE(analysis::IntervalWalk(none).contains(0));
}

TEST_CASE("interval difference keeps the gaps between subtracted intervals") {
  using Intervals = std::vector<Interval>;
  const Intervals from{{0, 10}, {20, 30}, {40, 50}};
  CHECK(analysis::without(from, Intervals{}) == from);
  CHECK(analysis::without(from, from).empty());
  CHECK(analysis::without(from, Intervals{{2, 4}, {8, 22}, {25, 26}, {45, 90}}) ==
        Intervals{{0, 2}, {4, 8}, {22, 25}, {26, 30}, {40, 45}});
}
