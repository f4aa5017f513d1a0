// Strips above the tracks: ruler, steps, overview.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "render/scene/overview.hpp"
#include "render/scene/ruler.hpp"
#include "render/scene/steps_strip.hpp"
#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using test::kEpoch;

TEST_CASE("ticks are spaced by 1, 2 or 5 times a power of ten", "[scene][ruler]") {
  CHECK(nice_step(0.3) == 1);
  CHECK(nice_step(1) == 1);
  CHECK(nice_step(1.1) == 2);
  CHECK(nice_step(3) == 5);
  CHECK(nice_step(6) == 10);
  CHECK(nice_step(1'000'001) == 2'000'000);
}

TEST_CASE("adjacent ruler labels differ at every zoom level and position", "[scene][ruler]") {
  const Interval span{kEpoch, kEpoch + 7'200'000'000'000};
  for (int power = 0; power < 28; ++power)
    for (const double place : {0.0, 0.4, 0.999}) {
      const TimeView view = TimeView(span, 1600).zoomed(std::pow(2.7, power), 1600 * place);
      const Ruler ruler = make_ruler(view, span.begin);
      std::set<std::string> labels;
      std::size_t labelled = 0;
      double last = -1e9;
      for (const Tick& tick : ruler.ticks) {
        CHECK(tick.x == Approx(view.to_px(span.begin + tick.time)));
        if (!tick.labelled) continue;
        CHECK_FALSE(tick.label.empty());
        CHECK(tick.x - last >= 99.9);
        CHECK(tick.time % ruler.step == 0);
        last = tick.x;
        labels.insert(tick.label);
        ++labelled;
      }
      CHECK(labels.size() == labelled);
      CHECK(labelled >= 1);
      CHECK(labelled <= 20);
      CHECK(ruler.ticks.size() <= 120);
    }
}

TEST_CASE("a ruler without a labeled tick in view has a labeled tick to the left of it", "[scene][ruler]") {
  const TimeView view = TimeView({0, 1'000'000}, 150).fitted({123, 133}, 0);
  const Ruler ruler = make_ruler(view, 0);
  CHECK(std::any_of(ruler.ticks.begin(), ruler.ticks.end(), [](const Tick& tick) { return tick.labelled; }));
}

std::shared_ptr<const trace::Profile> stepped_profile(int steps, Ns overlap) {
  auto dictionary = std::make_shared<trace::Dictionary>();
  test::RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {{{{0, 1'000'000LL * steps, "run"}}}}});
  auto rank = test::make_rank(spec, 0, *dictionary);
  for (int i = 0; i < steps; ++i)
    rank->steps.push_back({dictionary->names.intern("ProfilerStep#" + std::to_string(i + 100)),
                           {1'000'000LL * i, 1'000'000LL * (i + 1) + overlap},
                           0});
  return trace::assemble_profile("test", dictionary, {rank}, {}, true);
}

TEST_CASE("wide steps have one box and one name each", "[scene][steps]") {
  const auto profile = stepped_profile(10, 0);
  const auto boxes = make_steps_strip(*profile, TimeView(profile->span, 1000));
  REQUIRE(boxes.size() == 10);
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(boxes[i].first == i);
    CHECK(boxes[i].last == i + 1);
    CHECK(boxes[i].label == "step " + std::to_string(100 + i));
  }
}

TEST_CASE("boxes never overlap, even if steps do", "[scene][steps]") {
  const auto profile = stepped_profile(50, 300'000);
  for (const double zoom : {1.0, 5.0, 40.0}) {
    const auto boxes = make_steps_strip(*profile, TimeView(profile->span, 1000).zoomed(zoom, 300));
    for (std::size_t i = 1; i < boxes.size(); ++i) CHECK(boxes[i].x0 >= boxes[i - 1].x1 - 1e-6);
    for (const StepBox& box : boxes) {
      CHECK(box.x0 >= 0);
      CHECK(box.x1 <= 1000);
      CHECK(static_cast<double>(box.label.size()) * 8 <= box.x1 - box.x0);
    }
  }
}

TEST_CASE("narrow steps share boxes, and no step is lost", "[scene][steps]") {
  const auto profile = stepped_profile(20'000, 0);
  const auto boxes = make_steps_strip(*profile, TimeView(profile->span, 800));
  CHECK(boxes.size() <= 140);
  std::uint32_t next = 0;
  for (const StepBox& box : boxes) {
    CHECK(box.first == next);
    next = box.last;
  }
  CHECK(next == 20'000);
}

TEST_CASE("a time is mapped to its step", "[scene][steps]") {
  const auto profile = stepped_profile(10, -200'000);
  CHECK(*step_at(*profile, 2'300'000) == 2);
  CHECK_FALSE(step_at(*profile, 2'900'000));
  CHECK(*step_at(*profile, 2'900'000, true) == 2);
  CHECK_FALSE(step_at(*profile, -5, true));
}

TEST_CASE("the overview has one strip per node as long as they fit", "[scene][overview]") {
  std::vector<test::RankSpec> ranks;
  for (int r = 0; r < 6; ++r) {
    test::RankSpec spec;
    spec.host = "host" + std::to_string(r);
    spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {{{{0, 500'000, "a"}, {1'000'000, 10, "b"}}}}});
    ranks.push_back(spec);
  }
  const auto profile = test::make_profile(ranks);
  REQUIRE(profile->nodes.size() == 6);
  const Overview overview = make_overview(*profile, 400, 48);
  REQUIRE(overview.strips.size() == 6);
  int bottom = 0;
  for (const OverviewStrip& strip : overview.strips) {
    CHECK(strip.y >= bottom);
    bottom = strip.y + strip.height;
    CHECK(strip.shares[100] == Approx(1));
    CHECK(strip.shares[300] == Approx(0));
  }
  CHECK(bottom <= 48);
  CHECK(make_overview(*profile, 400, 12).strips.size() == 2);
}

TEST_CASE("search results are marked in the overview", "[scene][overview]") {
  test::LaneSpec lane;
  for (int i = 0; i < 10'000; ++i) lane.slices.push_back({100LL * i, 50, "x"});
  test::RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {lane}});
  const auto profile = test::make_profile({spec});
  const std::vector<trace::SliceRef> hits{{0, 10}, {0, 5000}, {0, 5001}};
  auto highlight = std::make_shared<const Highlight>(*profile, hits);
  OverviewScene scene;
  const Overview& overview = scene.update(profile, 500, 40, 1, highlight);
  std::set<std::size_t> marked;
  for (std::size_t px = 0; px < overview.hits.size(); ++px)
    if (overview.hits[px]) marked.insert(px);
  CHECK(marked == std::set<std::size_t>{static_cast<std::size_t>(overview.view.to_px(1000)),
                                        static_cast<std::size_t>(overview.view.to_px(500'000))});
  DrawList list;
  draw_overview(overview, Theme::dark, 0, 40, 1, list);
  CHECK(std::count_if(list.rects.begin(), list.rects.end(),
                      [](const Rect& rect) { return rect.color == theme_colors(Theme::dark).search_hit; }) == 2);
  CHECK(scene.update(profile, 500, 40, 1, nullptr).hits.empty());
}

}  // namespace
}  // namespace warpscope::scene
