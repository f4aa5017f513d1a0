// Compares the drawing of a lane with a brute-force computation over its slices.
#include "render/scene/lane_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "render/scene/bucket_walk.hpp"
#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using test::kEpoch;

using test::LaneSpec;
using trace::Lane;

constexpr int kHeight = 100;

struct Mix {
  std::uint32_t count;
  double mean_duration;
  double mean_gap;
  int zero_length_percent;
  int families;
};

LaneSpec random_lane(const Mix& mix, std::uint64_t seed) {
  static constexpr std::array<const char*, 5> kNames{"alpha", "beta", "gamma", "delta", "epsilon"};
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> spread(0, 1.5);
  LaneSpec lane;
  Ns now = kEpoch;
  for (std::uint32_t i = 0; i < mix.count; ++i) {
    const bool zero = static_cast<int>(random() % 100) < mix.zero_length_percent;
    const Ns duration = zero ? 0 : static_cast<Ns>(mix.mean_duration * spread(random));
    lane.slices.push_back({now, duration, kNames[random() % kNames.size()],
                           static_cast<trace::Family>(random() % static_cast<unsigned>(mix.families))});
    now += duration + static_cast<Ns>(mix.mean_gap * spread(random));
    if (random() % 200 == 0) now += static_cast<Ns>(200 * (mix.mean_duration + mix.mean_gap));
  }
  return lane;
}

struct LaneDrawing {
  trace::Dictionary dictionary;
  Palette palette{Theme::dark};
  Lane lane;
  Interval span;

  explicit LaneDrawing(const LaneSpec& spec) : lane(test::make_lane(spec, 0, dictionary)) {
    span = {spec.slices.front().begin, spec.slices.back().begin + spec.slices.back().duration + 1};
  }
  [[nodiscard]] LaneBox box() const {
    LaneBox result;
    result.y = 40;
    result.height = kHeight;
    result.palette = &palette;
    result.names = &dictionary.names;
    return result;
  }
  [[nodiscard]] DrawList draw(const TimeView& view) const {
    DrawList list;
    draw_lane(lane, view, box(), list);
    return list;
  }
};

/// Records the output of the walk.
struct Recorder {
  std::map<int, PixelBusy> pixels;
  std::map<std::uint32_t, std::pair<double, double>> owns;
  bool ordered = true;

  void own(std::uint32_t i, double x0, double x1) { owns[i] = {x0, x1}; }
  void pixel(int px, const PixelBusy& busy) {
    if (!pixels.empty() && pixels.rbegin()->first >= px) ordered = false;
    pixels[px] = busy;
  }
};

/// The time covered by slices below the limit, summed individually for each pixel.
struct Exact {
  std::vector<double> total;
  std::vector<std::array<double, trace::kFamilies>> by_family;
};

Exact brute_force(const Lane& lane, const TimeView& view) {
  const auto width = static_cast<std::size_t>(view.width());
  Exact exact{std::vector<double>(width, 0.0), std::vector<std::array<double, trace::kFamilies>>(width)};
  for (std::uint32_t i = 0; i < lane.size(); ++i) {
    const double x0 = view.to_px(lane.time().begin(i));
    const double x1 = view.to_px(lane.time().end(i));
    if (x1 - x0 >= kOwnRectPx) continue;
    if (x1 < 0 || x0 > view.width()) continue;
    for (int px = static_cast<int>(std::floor(x0)); px < x1; ++px) {
      const double share = std::min<double>(x1, px + 1) - std::max<double>(x0, px);
      if (px < 0 || px >= view.width() || share <= 0) continue;
      exact.total[static_cast<std::size_t>(px)] += share;
      exact.by_family[static_cast<std::size_t>(px)][static_cast<std::size_t>(lane.tree().family(i))] += share;
    }
  }
  return exact;
}

constexpr std::array<Mix, 7> kMixes{{
    {20'000, 900, 300, 0, 4},
    {20'000, 900, 300, 0, 1},
    {5000, 3, 2, 20, 3},
    {300, 50'000, 40'000, 5, 8},
    {40'000, 100, 5000, 2, 2},
    {17, 100, 10, 0, 3},
    {1, 1000, 0, 0, 1},
}};

TEST_CASE("each pixel's share matches brute force to within an eighth or a quarter of a block", "[scene][lane]") {
  for (const Mix& mix : kMixes)
    for (const std::uint64_t seed : {1u, 2u}) {
      const LaneDrawing scene(random_lane(mix, seed));
      for (const double zoom : {1.0, 1.9, 4.0, 16.0, 60.0, 700.0}) {
        const TimeView view = TimeView(scene.span, 500).zoomed(zoom, 230);
        Recorder recorder;
        walk_buckets(scene.lane.tree(), view, kOwnRectPx, recorder);
        const Exact exact = brute_force(scene.lane, view);
        CHECK(recorder.ordered);
        double sum = 0;
        double exact_sum = 0;
        double worst = 0;
        double worst_family = 0;
        for (int px = 0; px < 500; ++px) {
          const auto at = static_cast<std::size_t>(px);
          const auto found = recorder.pixels.find(px);
          const PixelBusy busy = found == recorder.pixels.end() ? PixelBusy{} : found->second;
          worst = std::max(worst, std::abs(busy.total - exact.total[at]));
          if (!scene.lane.tree().single_family())
            for (std::size_t f = 0; f < trace::kFamilies; ++f)
              worst_family = std::max(worst_family, std::abs(busy.by_family[f] - exact.by_family[at][f]));
          sum += busy.total;
          exact_sum += exact.total[at];
        }
        // A block's share may be off by a quarter of its width at either edge of a pixel, but the sum is exact.
        CHECK(worst <= kExactBlockPx / 2 + 1e-6);
        CHECK(worst_family <= kExactBlockPx / 2 + 1e-6);
        CHECK(sum == Approx(exact_sum).margin(0.6));
        for (const auto& [px, busy] : recorder.pixels) {
          CHECK(px >= 0);
          CHECK(px < 500);
          CHECK(busy.count > 0);
        }
      }
    }
}

TEST_CASE("slices at least two pixels wide are drawn individually", "[scene][lane]") {
  for (const Mix& mix : kMixes) {
    const LaneDrawing scene(random_lane(mix, 5));
    for (const double zoom : {1.0, 3.0, 20.0, 300.0}) {
      const TimeView view = TimeView(scene.span, 500).zoomed(zoom, 300);
      Recorder recorder;
      walk_buckets(scene.lane.tree(), view, kOwnRectPx, recorder);
      std::uint32_t missing = 0;
      std::uint32_t wide = 0;
      for (std::uint32_t i = 0; i < scene.lane.size(); ++i) {
        const double x0 = view.to_px(scene.lane.time().begin(i));
        const double x1 = view.to_px(scene.lane.time().end(i));
        if (x1 <= 0 || x0 >= 500 || x1 - x0 < kOwnRectPx + 1e-9) continue;
        ++wide;
        const auto found = recorder.owns.find(i);
        if (found == recorder.owns.end() || std::abs(found->second.first - x0) > 1e-6 ||
            std::abs(found->second.second - x1) > 1e-6)
          ++missing;
      }
      CHECK(missing == 0);
      CHECK(recorder.owns.size() <= wide + 1);
    }
  }
}

TEST_CASE("every busy pixel has one column", "[scene][lane]") {
  for (const Mix& mix : kMixes) {
    const LaneDrawing scene(random_lane(mix, 9));
    for (const double zoom : {1.0, 7.0, 90.0}) {
      const TimeView view = TimeView(scene.span, 500).zoomed(zoom, 100);
      Recorder recorder;
      walk_buckets(scene.lane.tree(), view, kOwnRectPx, recorder);
      const DrawList list = scene.draw(view);
      std::vector<int> covered(500, 0);
      for (const Rect& rect : list.rects) {
        CHECK(rect.x0 >= -8);
        CHECK(rect.x1 <= 508);
        CHECK(rect.x1 > rect.x0);
        CHECK(rect.y == 40);
        CHECK(rect.height == kHeight);
        CHECK(rect.fill >= 6);  // 2 px of 100
        const bool whole = std::floor(rect.x0) == rect.x0 && std::floor(rect.x1) == rect.x1;
        if (!whole) continue;
        for (int px = std::max(0, static_cast<int>(rect.x0)); px < std::min(500, static_cast<int>(rect.x1)); ++px)
          ++covered[static_cast<std::size_t>(px)];
      }
      CHECK(*std::max_element(covered.begin(), covered.end()) <= 1);
      for (const auto& [px, busy] : recorder.pixels) CHECK(covered[static_cast<std::size_t>(px)] == 1);
      CHECK(list.rects.size() <= recorder.pixels.size() + recorder.owns.size());
    }
  }
}

TEST_CASE("fill times width is the busy time", "[scene][lane]") {
  // Gaps are as long as the slices, so the lane is half busy at every zoom level.
  LaneSpec spec;
  for (int i = 0; i < 100'000; ++i) spec.slices.push_back({kEpoch + 20LL * i, 10, i % 3 == 0 ? "a" : "b"});
  const LaneDrawing scene(spec);
  for (const double zoom : {1.0, 3.3, 11.0, 50.0, 200.0, 1000.0}) {
    const TimeView view = TimeView(scene.span, 1000).zoomed(zoom, 500);
    const Interval visible = view.visible();
    double area = 0;
    for (const Rect& rect : scene.draw(view).rects)
      area += (std::min(rect.x1, 1000.0f) - std::max(rect.x0, 0.0f)) * rect.fill / 255.0;
    const double exact = static_cast<double>(scene.lane.tree().busy(visible.begin, visible.end)) / view.ns_per_px();
    CHECK(area == Approx(exact).epsilon(0.01).margin(2));
  }
}

TEST_CASE("a column has the color of the family that was busy longest", "[scene][lane]") {
  LaneSpec spec;
  for (int i = 0; i < 6400; ++i)
    spec.slices.push_back({kEpoch + 100LL * i, i % 2 == 0 ? 70 : 20, "x",
                           i % 2 == 0 ? trace::Family::communication : trace::Family::memory});
  const LaneDrawing scene(spec);
  const TimeView view(scene.span, 50);
  const DrawList list = scene.draw(view);
  REQUIRE_FALSE(list.rects.empty());
  for (const Rect& rect : list.rects) CHECK(rect.color == family_color(trace::Family::communication, Theme::dark));
}

TEST_CASE("a single short slice is visible, even with zero duration", "[scene][lane]") {
  const LaneSpec spec{
      {{kEpoch, 1'000'000}, {kEpoch + 500'000'000, 3}, {kEpoch + 700'000'000, 0}, {kEpoch + 1'000'000'000, 1'000'000}}};
  const LaneDrawing scene(spec);
  const TimeView view(scene.span, 800);
  std::set<int> seen;
  for (const Rect& rect : scene.draw(view).rects) {
    seen.insert(static_cast<int>(rect.x0));
    CHECK(rect.x1 - rect.x0 >= 1);
    CHECK(rect.fill * kHeight / 255.0 >= 1.9);
  }
  CHECK(seen.contains(static_cast<int>(view.to_px(kEpoch + 500'000'000))));
  CHECK(seen.contains(static_cast<int>(view.to_px(kEpoch + 700'000'000))));
}

TEST_CASE("a short slice in the first pixel of a long one is drawn over it", "[scene][lane]") {
  const LaneSpec spec{{{kEpoch, 100}, {kEpoch + 100, 1'000'000}, {kEpoch + 1'000'100, 100}}};
  const LaneDrawing scene(spec);
  const DrawList list = scene.draw(TimeView(scene.span, 400));
  REQUIRE(list.rects.size() == 3);
  CHECK(list.rects[0].x1 - list.rects[0].x0 > 300);
  CHECK(list.rects[1].x1 - list.rects[1].x0 == 1);
}

TEST_CASE("a slice much larger than the view is clipped slightly outside it", "[scene][lane]") {
  const LaneSpec spec{{{kEpoch, 3'600'000'000'000, "a long one"}}};
  const LaneDrawing scene(spec);
  const TimeView view = TimeView(scene.span, 1000).zoomed(1e9, 500);
  const DrawList list = scene.draw(view);
  REQUIRE(list.rects.size() == 1);
  CHECK(list.rects[0].x0 == -8);
  CHECK(list.rects[0].x1 == 1008);
  REQUIRE(list.labels.size() == 1);
  CHECK(list.labels[0].x0 >= 0);
  CHECK(list.labels[0].x1 <= 1000);
  CHECK(list.labels[0].text == "a long one");
}

TEST_CASE("adjacent slices with the same color stay distinguishable", "[scene][lane]") {
  const LaneSpec spec{{{kEpoch, 1000, "same"}, {kEpoch + 1000, 1000, "same"}, {kEpoch + 2000, 1000, "other"}}};
  const LaneDrawing scene(spec);
  const DrawList list = scene.draw(TimeView(scene.span, 300));
  REQUIRE(list.rects.size() == 3);
  CHECK(list.rects[1].x0 - list.rects[0].x1 == Approx(1));
  CHECK(list.rects[2].x0 - list.rects[1].x1 == Approx(0).margin(1e-3));
}

TEST_CASE("labels are inside their rectangle and need enough space", "[scene][lane]") {
  const LaneDrawing scene(random_lane({400, 5000, 4000, 0, 3}, 3));
  const TimeView view = TimeView(scene.span, 1000).zoomed(8, 400);
  const DrawList list = scene.draw(view);
  CHECK_FALSE(list.labels.empty());
  for (const Label& label : list.labels) {
    const bool inside = std::any_of(list.rects.begin(), list.rects.end(), [&](const Rect& rect) {
      return rect.x0 <= label.x0 && label.x1 <= rect.x1 + 1 && rect.x1 - rect.x0 >= 23;
    });
    CHECK(inside);
    CHECK(label.x1 > label.x0);
  }
}

TEST_CASE("marks are thin, with at most one per pixel", "[scene][lane]") {
  LaneSpec spec;
  spec.kind = trace::LaneKind::instant;
  for (int i = 0; i < 10'000; ++i) spec.slices.push_back({kEpoch + 100LL * i, 0, "mark"});
  const LaneDrawing scene(spec);
  const DrawList list = scene.draw(TimeView(scene.span, 300));
  CHECK(list.rects.size() <= 300);
  CHECK(list.rects.size() >= 280);
  for (const Rect& rect : list.rects) CHECK(rect.x1 - rect.x0 == 1);
  CHECK(list.labels.empty());
}

TEST_CASE("corrupt slices are muted and clipped", "[scene][lane]") {
  const LaneSpec spec{{{0, 4'000'000'000'000'000'000, "absurd"}}, trace::LaneKind::damaged};
  const LaneDrawing scene(spec);
  const TimeView view({kEpoch, kEpoch + 1'000'000}, 400);
  const DrawList list = scene.draw(view);
  REQUIRE(list.rects.size() == 1);
  CHECK(list.rects[0].color == theme_colors(Theme::dark).damaged);
  CHECK(list.rects[0].x0 == -8);
  CHECK(list.rects[0].x1 == 408);
}

TEST_CASE("a folded lane shows the union of its slices, without names", "[scene][lane]") {
  const LaneSpec spec{
      {{kEpoch, 1000, "a"}, {kEpoch + 500, 1000, "b"}, {kEpoch + 600, 100, "c"}, {kEpoch + 3000, 1000, "d"}},
      trace::LaneKind::folded};
  const LaneDrawing scene(spec);
  const TimeView view(scene.span, 400);
  const DrawList list = scene.draw(view);
  CHECK(list.rects.size() == 2);
  CHECK(list.labels.empty());
  CHECK(list.rects[0].x1 == Approx(view.to_px(kEpoch + 1500)).margin(0.01));
}

TEST_CASE("dimmed slices keep 55 % of their color and a readable name", "[scene][lane]") {
  const LaneDrawing scene(LaneSpec{{{kEpoch, 1000, "a"}}});
  LaneBox box = scene.box();
  box.alpha = kDimmed;
  DrawList list;
  draw_lane(scene.lane, TimeView(scene.span, 400), box, list);
  REQUIRE(list.rects.size() == 1);
  CHECK(list.rects[0].color >> 24 == 140);
  // The name must be readable against the dimmed color.
  const Color seen = blend(theme_colors(box.palette->theme()).ground, list.rects[0].color);
  CHECK(list.labels[0].color >> 24 == 255);
  CHECK(contrast(seen, list.labels[0].color) >= 4.5);
}

TEST_CASE("alternating nanoseconds are drawn exactly at epoch timestamps", "[scene][lane]") {
  LaneSpec spec;
  for (int i = 0; i < 2000; ++i) spec.slices.push_back({kEpoch + 172'800'000'000'000 + 8LL * i, 4, "on"});
  const LaneDrawing scene(spec);
  for (const double px_per_ns : {1.0, 8.0}) {
    const TimeView view = TimeView(scene.span, 1024).moved_to({spec.slices[100].begin, 0}, 1 / px_per_ns);
    std::vector<bool> on(1024, false);
    for (const Rect& rect : scene.draw(view).rects)
      for (int px = 0; px < 1024; ++px)
        if (rect.x0 <= static_cast<float>(px) + 0.5f && static_cast<float>(px) + 0.5f < rect.x1)
          on[static_cast<std::size_t>(px)] = true;
    int wrong = 0;
    for (int px = 0; px < 1024; ++px) {
      const auto ns = static_cast<Ns>((px + 0.5) / px_per_ns);
      wrong += on[static_cast<std::size_t>(px)] != (ns % 8 < 4);
    }
    // A one-pixel gap separates slices with the same color only where they touch, which is not the case here.
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace warpscope::scene
