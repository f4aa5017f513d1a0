// Drawing, hit testing and measuring slices that are not in memory.
#include <algorithm>
#include <numeric>

#include "core/trace/resident_only.hpp"
#include "render/scene/arrows.hpp"
#include "render/scene/hit_test.hpp"
#include "render/scene/overview.hpp"
#include "render/scene/timeline_scene.hpp"
#include "render/scene/utilisation_scene.hpp"
#include "tests/catch.hpp"
#include "tests/stored_profile.hpp"

using namespace warpscope;
using namespace warpscope::scene;
using namespace warpscope::tests;

namespace {

TimelineInput input_of(const std::shared_ptr<const trace::Profile>& profile, Interval visible) {
  TrackState tracks;
  for (std::uint32_t i = 0; i < profile->tree.entries.size(); ++i) tracks.set_open(profile->tree, i, true);
  TimelineInput input;
  input.profile = profile;
  input.layout = std::make_shared<Layout>(*profile, tracks);
  input.view = TimeView(profile->span, 1000).fitted(visible, 0);
  input.height = 1000;
  return input;
}

/// Area of the rectangles in a lane's row, as a width in px at full row height.
double area(const TimelineInput& input, const DrawList& list, std::uint32_t lane) {
  const Row& row = input.layout->rows()[input.layout->row_of_lane(*input.profile, 0, lane)];
  double sum = 0;
  for (const Rect& rect : list.rects)
    if (rect.y == canvas_y(input, row))
      sum += (std::min(rect.x1, 1000.0f) - std::max(rect.x0, 0.0f)) * static_cast<double>(rect.fill) / 255;
  return sum;
}

void load_missed(trace::ResidentOnly& resident) {
  for (const auto& column : resident.take_missed()) column->load();
}

constexpr Interval kViews[] = {
    {0, 6'000'000}, {2'000'000, 2'400'000}, {3'000'123, 3'000'123 + 40'000}, {3'001'000, 3'002'000}};

}  // namespace

TEST_CASE("absent slices are drawn muted from block sums, then precisely after loading") {
  const auto whole = test::make_profile({dense_rank()});
  for (const Interval visible : kViews) {
    INFO(visible.begin << " to " << visible.end);
    const StoredProfile lazy = stored(*whole);
    TimelineScene eager_scene, scene;
    const TimelineInput input = input_of(lazy.profile, visible);
    const DrawList& expected = eager_scene.update(input_of(whole, visible));
    trace::ResidentOnly resident;
    const DrawList first = scene.update(input);
    CHECK(scene.incomplete());
    for (const std::uint32_t lane : {0u, 1u}) {
      if (visible.length() < 16'000) continue;  // shorter than a block, whose sum says little about this part
      const double exact = area(input, expected, lane);
      CHECK(std::abs(area(input, first, lane) - exact) < 0.02 * 1000 + 0.15 * exact);
    }
    CHECK(std::ranges::any_of(first.rects, [](const Rect& rect) { return rect.color >> 24 == 102; }));
    CHECK(first.labels.size() <= expected.labels.size());
    while (scene.incomplete()) {
      load_missed(resident);
      static_cast<void>(scene.update(input));
    }
    const DrawList& last = scene.update(input);
    CHECK(last.rects == expected.rects);
    CHECK(std::ranges::equal(last.labels, expected.labels, {}, &Label::text, &Label::text));
    const std::uint64_t revision = scene.revision();
    static_cast<void>(scene.update(input));
    CHECK(scene.revision() == revision);
  }
}

TEST_CASE("a stored timeline is drawn in full without loading anything") {
  // Gaps and ends are read on opening; blocks in the dense remainder are narrower than a pixel.
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole);
  const trace::ResidentOnly resident;
  TimelineScene eager_scene, scene;
  const DrawList& expected = eager_scene.update(input_of(whole, whole->span));
  CHECK(scene.update(input_of(lazy.profile, whole->span)).rects == expected.rects);
  CHECK_FALSE(scene.incomplete());
  CHECK(lazy.bytes->own() == 0);
}

TEST_CASE("hits, boxes, shares and arrows of absent slices are not guessed") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole);
  const TimelineInput input = input_of(lazy.profile, {3'000'000, 3'010'000});
  const TimelineInput eager = input_of(whole, {3'000'000, 3'010'000});
  const std::uint32_t row = input.layout->row_of_lane(*lazy.profile, 0, 0);
  const Row& of = input.layout->rows()[row];
  const double y = canvas_y(input, of) + of.height / 2.0;
  const trace::SliceRef slice{0, 3004};
  trace::ResidentOnly resident;
  const Hit absent = hit_test(input, 450, y);
  CHECK(absent.kind == HitKind::absent);
  CHECK(absent.row == row);
  CHECK_FALSE(absent.slice);
  CHECK_FALSE(box_of_slice(input, slice));
  CHECK_FALSE(visible_share(*lazy.profile, of, input.view.visible()));
  CHECK(arrows_of(input, slice).empty());
  CHECK(arrows_in_view(input).arrows.empty());
  CHECK(lazy.bytes->own() == 0);
  for (int frames = 0; frames < 3; ++frames) {
    static_cast<void>(arrows_of(input, slice));
    load_missed(resident);
  }
  CHECK(arrows_of(input, slice).size() == 1);
  const Hit hit = hit_test(input, 450, y);
  CHECK(hit.kind == HitKind::slice);
  CHECK(hit.slice == hit_test(eager, 450, y).slice);
  CHECK(box_of_slice(input, slice)->x0 == box_of_slice(eager, slice)->x0);
  CHECK(visible_share(*lazy.profile, of, input.view.visible()) == visible_share(*whole, of, input.view.visible()));
  CHECK(arrows_in_view(input).arrows.size() == arrows_in_view(eager).arrows.size());
}

TEST_CASE("an overview of absent slices is rebuilt when they are loaded") {
  const auto whole = test::make_profile({dense_rank()});
  const StoredProfile lazy = stored(*whole);
  OverviewScene eager_scene, scene;
  constexpr double kWidth = 20'000;  // blocks are wider than a pixel
  const Overview& expected = eager_scene.update(whole, kWidth, 30, 1, nullptr);
  trace::ResidentOnly resident;
  static_cast<void>(scene.update(lazy.profile, kWidth, 30, 1, nullptr));
  const std::uint64_t revision = scene.revision();
  const auto missed = resident.take_missed();
  REQUIRE_FALSE(missed.empty());
  for (const auto& column : missed) column->load();
  CHECK(scene.update(lazy.profile, kWidth, 30, 1, nullptr).strips.at(0).shares == expected.strips.at(0).shares);
  CHECK(scene.revision() > revision);
}

TEST_CASE("a folded lane's levels are counted when its slices are loaded") {
  test::LaneSpec top, deep;
  deep.kind = trace::LaneKind::folded;
  top.slices.push_back({0, 300'000'000, "all", trace::Family::op, "cpu_op"});
  for (Ns i = 0; i < 1500; ++i) {
    deep.slices.push_back({i * 2000, 1900, "outer", trace::Family::op, "cpu_op"});
    deep.slices.push_back({i * 2000 + 100, 1000, "inner", trace::Family::op, "cpu_op"});
  }
  deep.slices.push_back({299'000'000, 1000, "last", trace::Family::op, "cpu_op"});
  test::RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {top, deep}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {top}});
  const StoredProfile lazy = stored(*test::make_profile({spec}));
  const auto note = [&](const Layout& layout) { return layout.rows()[layout.row_of_lane(*lazy.profile, 0, 1)].note; };
  TrackState tracks;
  for (std::uint32_t i = 0; i < lazy.profile->tree.entries.size(); ++i) tracks.set_open(lazy.profile->tree, i, true);
  trace::ResidentOnly resident;
  const Layout before(*lazy.profile, tracks);
  CHECK(before.incomplete());
  CHECK(note(before) == "+… levels");
  load_missed(resident);
  const Layout after(*lazy.profile, tracks);
  CHECK_FALSE(after.incomplete());
  CHECK(note(after) == "+2 levels");
}

TEST_CASE("a stored rank is drawn by its curve until its rows are read", "[scene][utilisation]") {
  test::RankSpec spec;
  test::LaneSpec kernels, others;
  for (Ns i = 0; i < 3000; ++i) {
    const bool communicates = i % 3 == 0;
    kernels.slices.push_back({i * 1000, 200 + i / 6, communicates ? "ncclAllReduce" : "gemm",
                              communicates ? trace::Family::communication : trace::Family::computation});
  }
  others.slices.push_back({1'000'000, 700'000, "copy", trace::Family::memory});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {std::move(kernels)}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 8", {std::move(others)}});
  const auto whole = test::make_profile({spec, spec});
  const StoredProfile lazy = stored(*whole, false);
  const trace::Rank& closed = *lazy.profile->ranks[0];
  const trace::Rank& open = *whole->ranks[0];
  trace::ResidentOnly resident;
  for (const double width : {300.0, 1500.0}) {
    const TimeView view(whole->span, width);
    const std::vector<double> busy = mean_busy_shares(busy_of_entry(*whole, 0, view), view);
    const std::vector<double> drawn = mean_busy_shares(busy_of_entry(*lazy.profile, 0, view), view);
    const ClassShares exact = class_shares(open, busy, view);
    const ClassShares shares = class_shares(closed, drawn, view);
    for (std::size_t px = 0; px < busy.size(); ++px) {
      CAPTURE(width, px);
      // One of 3000 kernels may lie in this pixel or in the next.
      CHECK(drawn[px] == Approx(busy[px]).margin(0.35 * width / 1000));
      CHECK(shares.memory[px] == Approx(exact.memory[px]).margin(0.35 * width / 1000));
    }
    for (const auto& [one, other] :
         {std::pair(&exact.computation, &shares.computation), std::pair(&exact.communication, &shares.communication),
          std::pair(&exact.memory, &shares.memory)}) {
      const double sum = std::accumulate(one->begin(), one->end(), 0.0);
      CHECK(sum > 5);
      CHECK(std::accumulate(other->begin(), other->end(), 0.0) == Approx(sum).epsilon(0.01));
    }
    CHECK(busy_share(busy_of_entry(*lazy.profile, 0, view), whole->span) ==
          busy_share(busy_of_entry(*whole, 0, view), whole->span));
    const Interval half{whole->span.begin, whole->span.end / 2};
    CHECK(*busy_share(busy_of_entry(*lazy.profile, 0, view), half) ==
          Approx(*busy_share(busy_of_entry(*whole, 0, view), half)).epsilon(0.01));
  }
  CHECK(resident.take_missed().empty());
  CHECK(lazy.bytes->own() == 0);
  // Closer views need the rows.
  const TimeView near({0, 100'000}, 1500);
  CHECK(curve_instead(closed, near) == nullptr);
  static_cast<void>(busy_of_entry(*lazy.profile, 0, near));
  CHECK(resident.take_missed().size() == 2);
  CHECK(curve_instead(open, TimeView(whole->span, 300)) == nullptr);
}
