// Checks curves against brute force: utilization per pixel, its mean over devices, counters.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "render/scene/palette.hpp"
#include "render/scene/utilisation_scene.hpp"
#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using test::kEpoch;

trace::IntervalTree random_union(std::uint64_t seed, int count, double mean) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> length(1 / mean);
  std::vector<Interval> intervals;
  Ns now = kEpoch;
  for (int i = 0; i < count; ++i) {
    now += static_cast<Ns>(length(random));
    intervals.push_back({now, now + static_cast<Ns>(length(random))});
  }
  return trace::merged_intervals(intervals);
}

double exact_share(const trace::IntervalTree& tree, const TimeView& view, int px) {
  double sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const double x0 = std::max<double>(px, view.to_px(tree.time().begin(i)));
    const double x1 = std::min<double>(px + 1, view.to_px(tree.time().end(i)));
    sum += std::max(0.0, x1 - x0);
  }
  return sum;
}

TEST_CASE("utilization per pixel matches brute force", "[scene][utilisation]") {
  const trace::IntervalTree tree = random_union(3, 3000, 1000);
  const TimeView whole({kEpoch, tree.time().end(tree.size() - 1)}, 300);
  for (const double zoom : {1.0, 4.0, 30.0, 400.0}) {
    const TimeView view = whole.zoomed(zoom, 140);
    std::vector<double> shares(300, 0.0);
    add_busy_shares(tree, view, 1, shares);
    double worst = 0;
    double sum = 0;
    double exact_sum = 0;
    for (int px = 0; px < 300; ++px) {
      const double exact = exact_share(tree, view, px);
      worst = std::max(worst, std::abs(shares[static_cast<std::size_t>(px)] - exact));
      sum += shares[static_cast<std::size_t>(px)];
      exact_sum += exact;
    }
    CHECK(worst < 0.25);
    CHECK(sum == Approx(exact_sum).margin(0.5));
  }
}

TEST_CASE("the mean over devices is the mean of their curves and of the range", "[scene][utilisation]") {
  const trace::IntervalTree a = random_union(1, 500, 4000);
  const trace::IntervalTree b = random_union(2, 300, 9000);
  std::vector<DeviceBusy> devices{{&a}, {&b}};
  const TimeView view({kEpoch, a.time().end(a.size() - 1)}, 200);
  const std::vector<double> mean = mean_busy_shares(devices, view);
  std::vector<double> first(200, 0.0);
  std::vector<double> second(200, 0.0);
  add_busy_shares(a, view, 1, first);
  add_busy_shares(b, view, 1, second);
  for (std::size_t px = 0; px < 200; ++px) CHECK(mean[px] == Approx((first[px] + second[px]) / 2));
  const Interval range{kEpoch + 10'000, kEpoch + 1'000'000};
  CHECK(busy_share(devices, range).value() ==
        Approx(static_cast<double>(a.busy(range.begin, range.end) + b.busy(range.begin, range.end)) / 2 / 990'000));
  CHECK_FALSE(busy_share({}, range));
  CHECK_FALSE(busy_share(devices, {5, 5}));
}

TEST_CASE("the mean excludes devices after the end of their trace") {
  const trace::IntervalTree a = random_union(1, 500, 4000);
  const trace::IntervalTree b = random_union(2, 300, 9000);
  const Ns end = a.time().end(a.size() - 1);
  const Ns last = b.time().end(b.size() - 1);
  REQUIRE(end + 100'000 < last);
  const std::vector<DeviceBusy> devices{{&a, end}, {&b}};
  const auto busy = static_cast<double>(a.busy(kEpoch, end) + b.busy(kEpoch, last));
  CHECK(busy_share(devices, {kEpoch, last}).value() ==
        Approx(busy / static_cast<double>(end - kEpoch + last - kEpoch)));
  CHECK_FALSE(busy_share(std::vector<DeviceBusy>{devices[0]}, {end, last}));

  const TimeView view({kEpoch, last}, 200);
  const std::vector<double> mean = mean_busy_shares(devices, view);
  std::vector<double> first(200, 0.0);
  std::vector<double> second(200, 0.0);
  add_busy_shares(a, view, 1, first);
  add_busy_shares(b, view, 1, second);
  const auto cut = static_cast<std::size_t>(view.to_px(end));
  for (std::size_t px = 0; px < 200; ++px) {
    if (px < cut) CHECK(mean[px] == Approx((first[px] + second[px]) / 2));
    if (px > cut) CHECK(mean[px] == Approx(second[px]));
  }
}

TEST_CASE("classes of a collapsed node are the mean over its ranks", "[scene][utilisation]") {
  test::RankSpec computes;
  computes.tracks.push_back({trace::TrackKind::stream, "7", {{{{0, 1'000'000}}}}});
  test::RankSpec communicates;
  communicates.tracks.push_back({trace::TrackKind::stream, "20", {{{{500'000, 500'000, "c", Family::communication}}}}});
  const auto profile = test::make_profile({computes, communicates});
  const TimeView view({0, 1'000'000}, 101);
  const ClassShares shares = mean_class_shares(*profile, 0, view);
  REQUIRE(profile->tree.entries.front().kind == trace::TreeKind::node);
  REQUIRE(shares.computation.size() == 101);
  for (const Ns at : {100'000, 300'000, 700'000, 900'000}) {
    const auto px = static_cast<std::size_t>(view.to_px(at));
    CHECK(shares.computation[px] == Approx(0.5).margin(1e-9));
    CHECK(shares.communication[px] == Approx(at < 500'000 ? 0 : 0.5).margin(1e-9));
    CHECK(shares.memory[px] == 0);
  }
}

TEST_CASE("a rank's classes add up to its busy share, and overlapped communication counts as computation",
          "[scene][utilisation]") {
  test::RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::stream, "7", {{{{0, 500'000}, {500'000, 100'000, "m", Family::memory}}}}});
  spec.tracks.push_back({trace::TrackKind::stream, "20", {{{{400'000, 600'000, "c", Family::communication}}}}});
  const auto profile = test::make_profile({spec});
  const TimeView view({0, 1'000'000}, 100);
  const trace::Rank& rank = *profile->ranks.front();
  std::vector<double> busy(100, 0.0);
  add_busy_shares(rank.devices.front().busy.get(), view, 1, busy);
  const ClassShares shares = class_shares(rank, busy, view);
  for (std::size_t px = 0; px < 100; ++px)
    CHECK(shares.computation[px] + shares.communication[px] + shares.memory[px] == Approx(busy[px]));
  for (const Ns at : {200'000, 450'000, 550'000, 800'000}) {
    const auto px = static_cast<std::size_t>(view.to_px(at));
    CHECK(shares.computation[px] == Approx(at < 500'000 ? 1 : 0).margin(1e-9));
    CHECK(shares.communication[px] == Approx(at < 500'000 ? 0 : 1).margin(1e-9));
  }
  const auto colors = [&](FamilySet hidden) {
    DrawList list;
    draw_class_shares(shares, {10, 12, 0, 1}, Palette(Theme::dark), hidden, list);
    std::set<Color> found;
    for (const Rect& rect : list.rects) {
      CHECK(rect.y >= 10);
      CHECK(rect.y + rect.height <= 22);
      found.insert(rect.color);
    }
    return found;
  };
  const Palette palette(Theme::dark);
  CHECK(colors(0) == std::set<Color>{palette.family(Family::computation), palette.family(Family::communication)});
  CHECK(colors(family_bit(Family::communication)) == std::set<Color>{palette.family(Family::computation)});
}

TEST_CASE("a curve starts at the bottom of its box and stays inside", "[scene][utilisation]") {
  std::vector<double> shares{0, 0.001, 0.5, 0.5, 0.5, 1, 1.2, 0};
  DrawList list;
  draw_shares(shares, {100, 40, rgb(0x5060ff), 1}, list);
  for (const Rect& rect : list.rects) {
    CHECK(rect.y >= 100);
    CHECK(rect.y + rect.height <= 140);
    CHECK(rect.x0 >= 1);
    CHECK(rect.x1 <= 7);
  }
  const auto half = std::find_if(list.rects.begin(), list.rects.end(), [](const Rect& r) { return r.x0 == 2; });
  REQUIRE(half != list.rects.end());
  CHECK(half->x1 == 5);  // equal adjacent values are one rectangle
  CHECK(half->y == 120);
}

TEST_CASE("a counter shows its mean and its range", "[scene][utilisation]") {
  std::vector<Ns> times;
  std::vector<float> values;
  for (int i = 0; i < 10'000; ++i) {
    times.push_back(kEpoch + 1000LL * i);
    values.push_back(i % 10 == 0 ? 100.0f : 20.0f);
  }
  const trace::Counter counter("memory", "bytes", times, values);
  const TimeView view({kEpoch, times.back()}, 100);
  const trace::Counter::Summary here = counter_at(counter, view, 50.5);
  CHECK(here.any);
  CHECK(here.min == 20);
  CHECK(here.max == 100);
  CHECK(here.mean == Approx(28).epsilon(0.02));
  DrawList list;
  draw_counter(counter, view, {0, 50, rgb(0x808080), 1}, list);
  CHECK_FALSE(list.rects.empty());
  CHECK(std::any_of(list.rects.begin(), list.rects.end(), [](const Rect& rect) { return rect.y == 0; }));
  for (const Rect& rect : list.rects) {
    CHECK(rect.y >= 0);
    CHECK(rect.y + rect.height <= 50);
  }
  DrawList none;
  draw_counter(trace::Counter{}, view, {0, 50, 0, 1}, none);
  CHECK(none.rects.empty());
}

}  // namespace
}  // namespace warpscope::scene
