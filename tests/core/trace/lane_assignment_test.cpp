#include "core/trace/lane_assignment.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "tests/catch.hpp"

using namespace warpscope;
using namespace warpscope::trace;

namespace {

struct LaneAssignment {
  std::vector<std::uint16_t> lane;  ///< per slice
  std::uint16_t lanes = 0;          ///< lanes in use, including the folded one
  bool folded = false;              ///< lane kMaxLanes is in use
  std::uint64_t overlaps = 0;       ///< slices that overlap an open one without nesting, beyond the tolerance
  std::uint32_t first_overlap = 0;  ///< the first of them, if any
};

/// `sorted`: by start, then by end descending.
LaneAssignment assign_lanes(const std::vector<Interval>& sorted) {
  LaneAssignment result;
  result.lane.resize(sorted.size());
  LaneAssigner lanes;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    result.lane[i] = lanes.next(sorted[i]);
    if (result.lane[i] == kMaxLanes) result.folded = true;
    if (lanes.crosses() && result.overlaps++ == 0) result.first_overlap = static_cast<std::uint32_t>(i);
  }
  result.lanes = static_cast<std::uint16_t>(lanes.used() + (result.folded ? 1 : 0));
  return result;
}

std::vector<Interval> in_order(std::vector<Interval> slices) {
  std::stable_sort(slices.begin(), slices.end(), [](const Interval& a, const Interval& b) {
    return std::pair(a.begin, -a.end) < std::pair(b.begin, -b.end);
  });
  return slices;
}

// Checks that a lane is sorted by start and that no slice starts before the previous one ends.
void check_lanes(const std::vector<Interval>& slices, const LaneAssignment& assignment) {
  std::map<std::uint16_t, Ns> last_end;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::uint16_t lane = assignment.lane[i];
    REQUIRE(lane <= kMaxLanes);
    if (lane == kMaxLanes) continue;
    const auto [entry, fresh] = last_end.try_emplace(lane, slices[i].end);
    if (fresh) continue;
    REQUIRE(entry->second <= slices[i].begin);
    entry->second = slices[i].end;
  }
}

}  // namespace

TEST_CASE("each nested slice is one lane deeper") {
  const auto slices =
      in_order({{0, 100'000}, {10'000, 50'000}, {20'000, 30'000}, {60'000, 90'000}, {100'000, 110'000}});
  const LaneAssignment assignment = assign_lanes(slices);
  CHECK(assignment.lane == std::vector<std::uint16_t>{0, 1, 2, 1, 0});
  CHECK(assignment.overlaps == 0);
}

TEST_CASE("a child that outlives its parent by clock noise still nests") {
  const auto slices = in_order({{0, 100'000}, {50'000, 100'900}, {100'000, 200'000}});
  const LaneAssignment assignment = assign_lanes(slices);
  CHECK(assignment.lane == std::vector<std::uint16_t>{0, 1, 0});
  CHECK(assignment.overlaps == 0);
}

TEST_CASE("slices that overlap without nesting get a separate lane and are counted") {
  const auto slices = in_order({{0, 100'000}, {80'000, 200'000}, {180'000, 300'000}, {300'000, 310'000}});
  const LaneAssignment assignment = assign_lanes(slices);
  CHECK(assignment.lane == std::vector<std::uint16_t>{0, 1, 0, 0});
  CHECK(assignment.overlaps == 2);
  CHECK(assignment.first_overlap == 1);
}

TEST_CASE("a slice that starts where an overlapped one ends uses its lane") {
  const auto slices = in_order({{0, 100'000}, {80'000, 200'000}, {100'000, 250'000}});
  const LaneAssignment assignment = assign_lanes(slices);
  CHECK(assignment.lane == std::vector<std::uint16_t>{0, 1, 0});
  CHECK(assignment.overlaps == 2);
}

TEST_CASE("zero-length slices at one time share a lane, and nest inside another slice") {
  const auto slices = in_order({{0, 10}, {10, 10}, {10, 10}, {10, 20}, {15, 15}});
  const LaneAssignment assignment = assign_lanes(slices);
  check_lanes(slices, assignment);
  CHECK(assignment.overlaps == 0);
  CHECK(assignment.lane.back() == 1);
}

TEST_CASE("slices deeper than the limit are folded into one lane without loss") {
  std::vector<Interval> slices;
  for (Ns i = 0; i < 200; ++i) slices.push_back({i * 2'000, 1'000'000 + i * 2'000});
  const LaneAssignment assignment = assign_lanes(slices);
  check_lanes(slices, assignment);
  CHECK(assignment.folded);
  CHECK(assignment.lanes == kMaxLanes + 1);
  CHECK(std::count(assignment.lane.begin(), assignment.lane.end(), kMaxLanes) == 200 - kMaxLanes);
}

TEST_CASE("random slices never overlap within a lane, and a slice is below the one that encloses it") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 60; ++round) {
    std::vector<Interval> slices;
    const auto stretch = static_cast<Ns>(1000 + random() % 1'000'000);
    for (int i = 0; i < 300; ++i) {
      const auto begin = static_cast<Ns>(random() % static_cast<std::uint64_t>(stretch));
      const Ns length = random() % 6 == 0 ? 0 : static_cast<Ns>(random() % (1 + random() % 200'000));
      slices.push_back({begin, begin + length});
    }
    slices = in_order(std::move(slices));
    const LaneAssignment assignment = assign_lanes(slices);
    check_lanes(slices, assignment);
    for (std::size_t i = 0; i < slices.size(); ++i)
      for (std::size_t k = i + 1; k < slices.size(); ++k) {
        const bool encloses = slices[i].end > slices[k].begin && slices[i].end >= slices[k].end;
        if (encloses && assignment.lane[i] < kMaxLanes) REQUIRE(assignment.lane[k] > assignment.lane[i]);
      }
  }
}
