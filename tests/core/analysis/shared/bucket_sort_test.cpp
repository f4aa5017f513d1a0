#include "core/analysis/shared/bucket_sort.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace warpscope;

TEST_CASE("bucket sort keeps the order within a bucket") {
  std::vector<std::string> words{"b1", "a1", "c1", "b2", "a2", "b3"};
  bucket_sort(words, 3, [](const std::string& word) { return word[0] - 'a'; });
  CHECK(words == std::vector<std::string>{"a1", "a2", "b1", "b2", "b3", "c1"});
  std::vector<int> none;
  bucket_sort(none, 0, [](int) { return 0; });
  CHECK(none.empty());
}

TEST_CASE("bucket sort equals a stable sort") {
  std::mt19937 random(7);
  for (const std::size_t buckets : {1u, 2u, 30u, 5000u}) {
    std::vector<std::pair<std::uint32_t, int>> items(1000);
    for (int i = 0; i < 1000; ++i)
      items[static_cast<std::size_t>(i)] = {static_cast<std::uint32_t>(random() % buckets), i};
    auto expected = items;
    std::ranges::stable_sort(expected, {}, &std::pair<std::uint32_t, int>::first);
    bucket_sort(items, buckets, [](const auto& item) { return item.first; });
    CHECK(items == expected);
  }
}
