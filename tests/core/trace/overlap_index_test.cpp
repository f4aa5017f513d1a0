#include "core/trace/overlap_index.hpp"

#include <algorithm>
#include <random>

#include "tests/catch.hpp"
#include "tests/core/trace/random_slices.hpp"

using namespace warpscope;
using namespace warpscope::trace;

TEST_CASE("an overlap index agrees with a search of all slices, in time order") {
  std::mt19937_64 random(4);
  for (const std::size_t count : {0u, 1u, 5u, 16u, 17u, 31u, 100u, 2000u}) {
    std::vector<Interval> slices;
    for (std::size_t i = 0; i < count; ++i) {
      const auto begin = static_cast<Ns>(random() % 10'000);
      const auto length = static_cast<Ns>(random() % 5 == 0 ? 0 : random() % (1 + random() % 4000));
      slices.push_back({begin, begin + length});
    }
    std::sort(slices.begin(), slices.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
    TimeColumn time;
    for (const Interval& slice : slices) time.push_back(slice.begin, slice.length());
    const OverlapIndex index(time);
    for (int k = 0; k < 300; ++k) {
      Interval window{static_cast<Ns>(random() % 15'000) - 500, static_cast<Ns>(random() % 15'000) - 500};
      if (window.end < window.begin) std::swap(window.begin, window.end);
      if (window.empty()) continue;
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < slices.size(); ++i)
        if (testing::touches(slices[i], window)) expected.push_back(i);
      std::vector<std::uint32_t> found;
      index.for_each(time, window.begin, window.end, [&](std::uint32_t i) { found.push_back(i); });
      REQUIRE(found == expected);
    }
  }
}
