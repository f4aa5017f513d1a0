#include "core/base/natural_merge.hpp"

#include <random>

#include "tests/catch.hpp"

using namespace warpscope;

TEST_CASE("natural merge sort is stable for any number of runs") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = random() % 200;
    std::vector<std::pair<int, int>> items;
    int next = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (round > 0 && random() % static_cast<unsigned>(round) > 3) next = static_cast<int>(random() % 50);
      items.emplace_back(next++, static_cast<int>(i));
    }
    auto expected = items;
    const auto by_first = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(expected.begin(), expected.end(), by_first);
    natural_merge_sort(items, by_first);
    REQUIRE(items == expected);
  }
}
