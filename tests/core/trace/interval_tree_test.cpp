#include "core/trace/interval_tree.hpp"

#include <array>

#include "tests/catch.hpp"
#include "tests/core/trace/random_slices.hpp"

using namespace warpscope;
using namespace warpscope::trace;
using namespace warpscope::trace::testing;

namespace {

struct Expected {
  IndexRange range;
  Ns busy = 0;
  std::uint32_t longest = IntervalTree::kNone;
};

// Searches all slices.
Expected brute_force(const Row& row, Interval window) {
  Expected expected;
  bool any = false;
  for (std::uint32_t i = 0; i < row.slices.size(); ++i) {
    const Interval slice = row.slices[i];
    if (!touches(slice, window)) continue;
    if (!any) expected.range.first = i;
    any = true;
    expected.range.last = i + 1;
    expected.busy += std::min(slice.end, window.end) - std::max(slice.begin, window.begin);
    if (expected.longest == IntervalTree::kNone || slice.length() > row.slices[expected.longest].length())
      expected.longest = i;
  }
  return expected;
}

void check(const Row& row, const IntervalTree& tree, Interval window) {
  const Expected expected = brute_force(row, window);
  const IndexRange range = tree.overlapping(window.begin, window.end);
  REQUIRE(range.count() == expected.range.count());
  if (!range.empty()) REQUIRE(range.first == expected.range.first);
  REQUIRE(tree.busy(window.begin, window.end) == expected.busy);
  REQUIRE(tree.longest(range) == expected.longest);
}

}  // namespace

TEST_CASE("an interval tree agrees with a search of all slices") {
  std::mt19937_64 random(7);
  for (const std::size_t count : {0u, 1u, 2u, 15u, 16u, 17u, 33u, 250u, 3000u}) {
    for (const unsigned families : {1u, 3u, 8u}) {
      const Row row = random_row(random, count, 1'700'000'000'000'000'000, families);
      const IntervalTree tree = row.tree();
      for (int k = 0; k < 200; ++k) check(row, tree, random_window(random, row));
    }
  }
}

TEST_CASE("an interval tree of a million slices agrees with a search of all slices") {
  std::mt19937_64 random(11);
  const Row row = random_row(random, 1'000'000, 0, 8);
  const IntervalTree tree = row.tree();
  for (int k = 0; k < 40; ++k) check(row, tree, random_window(random, row));
}

TEST_CASE("an empty window overlaps no slice, even inside one") {
  Row row;
  row.slices = {{0, 100}, {100, 300}};
  row.families = {Family::op, Family::op};
  const IntervalTree tree = row.tree();
  CHECK(tree.overlapping(50, 50).empty());
  CHECK(tree.overlapping(100, 100).empty());
  CHECK(tree.overlapping(50, 51).count() == 1);
}

TEST_CASE("the slice at a time is the one that contains it") {
  std::mt19937_64 random(3);
  const Row row = random_row(random, 500, 1000, 2);
  const IntervalTree tree = row.tree();
  for (int k = 0; k < 2000; ++k) {
    const Ns t = random_window(random, row).begin;
    std::uint32_t expected = IntervalTree::kNone;
    for (std::uint32_t i = 0; i < row.slices.size(); ++i)
      if (row.slices[i].contains(t)) expected = i;
    REQUIRE(tree.at(t) == expected);
  }
  CHECK(tree.at(std::numeric_limits<Ns>::max()) == IntervalTree::kNone);
}

TEST_CASE("prefix sums of an interval tree add up at every block") {
  std::mt19937_64 random(5);
  const Row row = random_row(random, 777, 0, 4);
  const IntervalTree tree = row.tree();
  BusyTime sum;
  for (std::uint32_t i = 0; i < row.slices.size(); ++i) {
    if (i % TimeColumn::kBlock == 0) {
      REQUIRE(tree.busy_before_block(i / TimeColumn::kBlock) == sum.total);
      REQUIRE(tree.busy_by_family_before_block(i / TimeColumn::kBlock).by_family == sum.by_family);
    }
    REQUIRE(tree.busy_before(i) == sum.total);
    sum.total += row.slices[i].length();
    sum.by_family[static_cast<std::size_t>(row.families[i])] += row.slices[i].length();
  }
  CHECK(tree.busy_before_block(tree.time().blocks()) == sum.total);
  CHECK(tree.busy_by_family_before_block(tree.time().blocks()).by_family == sum.by_family);
}

TEST_CASE("the most frequent shapes of lanes take little memory") {
  Row row;
  for (Ns i = 0; i < 100'000; ++i) {
    row.slices.push_back({i * 10'000, i * 10'000 + 7'000});
    row.families.push_back(Family::computation);
  }
  const double one = static_cast<double>(row.tree().resident_bytes()) / 100'000.0;
  CHECK(one < 10.0);
  for (std::size_t i = 0; i < row.families.size(); ++i) row.families[i] = static_cast<Family>(i % 3);
  const double three = static_cast<double>(row.tree().resident_bytes()) / 100'000.0;
  CHECK(three < 12.0);
  CHECK(three > one);
}

TEST_CASE("merged intervals are the union") {
  std::mt19937_64 random(9);
  for (int round = 0; round < 50; ++round) {
    std::vector<Interval> input;
    std::array<bool, 400> covered{};
    for (int i = 0; i < 40; ++i) {
      const auto begin = static_cast<Ns>(random() % 380);
      const auto end = begin + static_cast<Ns>(random() % 20);
      input.push_back({begin, end});
      for (Ns t = begin; t < end; ++t) covered[static_cast<std::size_t>(t)] = true;
    }
    std::sort(input.begin(), input.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
    const IntervalTree tree = merged_intervals(input);
    for (std::uint32_t i = 1; i < tree.size(); ++i) REQUIRE(tree.time().begin(i) > tree.time().end(i - 1));
    for (Ns a = 0; a < 400; a += 7) {
      for (Ns b = a; b < 400; b += 13)
        REQUIRE(tree.busy(a, b) == std::count(covered.begin() + a, covered.begin() + b, true));
    }
  }
}
