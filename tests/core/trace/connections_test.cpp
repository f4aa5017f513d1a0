#include "core/trace/connections.hpp"

#include <map>
#include <random>
#include <set>

#include "tests/catch.hpp"

using namespace warpscope::trace;

TEST_CASE("connections are found from either end") {
  std::mt19937_64 random(6);
  std::vector<Connection> pairs;
  std::map<SliceOrdinal, SliceOrdinal> cause;
  std::map<SliceOrdinal, std::set<SliceOrdinal>> effects;
  for (SliceOrdinal run = 10'000; run < 12'000; ++run) {
    if (random() % 4 == 0) continue;
    const auto launch = static_cast<SliceOrdinal>(random() % 700);
    pairs.push_back({launch, run});
    cause[run] = launch;
    effects[launch].insert(run);
  }
  std::shuffle(pairs.begin(), pairs.end(), random);
  const Connections connections(pairs);
  CHECK(connections.size() == pairs.size());
  CHECK(connections.causes() == effects.size());
  for (SliceOrdinal run = 9'990; run < 12'010; ++run) {
    const Connection* found = connections.cause_of(run);
    REQUIRE((found != nullptr) == cause.contains(run));
    if (found != nullptr) REQUIRE(found->from == cause[run]);
  }
  for (SliceOrdinal launch = 0; launch < 705; ++launch) {
    std::set<SliceOrdinal> found;
    for (const Connection& pair : connections.caused_by(launch)) {
      REQUIRE(pair.from == launch);
      found.insert(pair.to);
    }
    REQUIRE(found == effects[launch]);
  }
}

TEST_CASE("empty connections have no ends") {
  const Connections none;
  CHECK(none.size() == 0);
  CHECK(none.cause_of(1) == nullptr);
  CHECK(none.caused_by(1).empty());
}
