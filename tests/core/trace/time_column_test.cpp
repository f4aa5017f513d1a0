#include "core/trace/time_column.hpp"

#include "tests/catch.hpp"
#include "tests/core/trace/random_slices.hpp"

using namespace warpscope;
using namespace warpscope::trace;

TEST_CASE("a time column returns the stored times, including escapes") {
  const std::vector<std::pair<Ns, Ns>> slices = {{-5, 3},
                                                 {0, 0},
                                                 {10, -7},
                                                 {10, 0xFFFFFFFE},
                                                 {20, 0xFFFFFFFF},
                                                 {30, 1},
                                                 {5'000'000'000, 2},
                                                 {9'000'000'000, 1},
                                                 {1'700'000'000'000'000'000, 4},
                                                 {1'700'000'000'000'000'001, 5}};
  TimeColumn time;
  for (const auto& [begin, duration] : slices) time.push_back(begin, duration);
  REQUIRE(time.size() == slices.size());
  for (std::uint32_t i = 0; i < time.size(); ++i) {
    CHECK(time.begin(i) == slices[i].first);
    CHECK(time.duration(i) == slices[i].second);
    CHECK(time.end(i) == slices[i].first + std::max<Ns>(0, slices[i].second));
  }
  time.shift(1000);
  for (std::uint32_t i = 0; i < time.size(); ++i) CHECK(time.begin(i) == slices[i].first + 1000);
}

TEST_CASE("the end of an absurdly long slice stays within the range of time") {
  TimeColumn time;
  time.push_back(100, std::numeric_limits<Ns>::max());
  CHECK(time.end(0) == std::numeric_limits<Ns>::max());
}

TEST_CASE("searches in a time column agree with the standard library's") {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0u, 1u, 16u, 17u, 1000u, 5000u}) {
    const auto row = testing::random_row(random, count, 123, 1);
    const TimeColumn time = row.column();
    std::vector<Ns> begins;
    for (const Interval& slice : row.slices) begins.push_back(slice.begin);
    for (int k = 0; k < 500; ++k) {
      const Ns t = testing::random_window(random, row).begin;
      const auto expected =
          static_cast<std::uint32_t>(std::lower_bound(begins.begin(), begins.end(), t) - begins.begin());
      REQUIRE(time.lower_bound(t) == expected);
      if (expected > 0) {
        const auto from = static_cast<std::uint32_t>(random() % expected);
        REQUIRE(time.lower_bound_from(from, t) == expected);
      }
      for (std::uint32_t from = 0; from <= time.blocks(); from += 1 + time.blocks() / 5) {
        std::uint32_t block = from;
        while (block < time.blocks() && time.block_begin(block) < t) ++block;
        REQUIRE(time.block_lower_bound_from(from, t) == block);
      }
    }
  }
}
