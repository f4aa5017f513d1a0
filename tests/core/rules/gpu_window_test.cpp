// Helpers for the evaluated time of a GPU.
#include "core/rules/gpu_window.hpp"

#include "tests/catch.hpp"

using namespace warpscope;

TEST_CASE("a walk over parts finds the times within them") {
  const std::vector<Interval> parts{{10, 20}, {20, 30}, {50, 60}};
  rules::PartsWalk walk(parts);
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
  CHECK_FALSE(rules::PartsWalk(none).contains(0));
}
