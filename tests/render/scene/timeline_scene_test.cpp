// The whole canvas: caching, drawing, and hit testing.
#include "render/scene/timeline_scene.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "render/scene/hit_test.hpp"
#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using test::kEpoch;

using test::find_entry;
using test::RankSpec;
using trace::TreeKind;

RankSpec busy_rank() {
  test::LaneSpec ops{{{kEpoch, 900'000, "forward", trace::Family::annotation}}};
  test::LaneSpec calls;
  test::LaneSpec kernels;
  for (int i = 0; i < 1000; ++i) {
    calls.slices.push_back({kEpoch + 900LL * i, 100, "cudaLaunchKernel", trace::Family::runtime});
    kernels.slices.push_back({kEpoch + 900LL * i + 300, 450, i % 4 == 0 ? "gemm" : "relu"});
  }
  RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {ops, calls}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {kernels}});
  return spec;
}

TimelineInput make_input(const std::shared_ptr<const trace::Profile>& profile, TrackState state = {}) {
  for (std::uint32_t i = 0; i < profile->tree.entries.size(); ++i)
    if (!state.open.contains(profile->tree.entries[i].key)) state.set_open(profile->tree, i, true);
  TimelineInput input;
  input.profile = profile;
  input.layout = std::make_shared<const Layout>(*profile, state);
  input.view = TimeView(profile->span, 1000);
  input.height = 400;
  return input;
}

double middle(const TimelineInput& input, std::uint32_t row) {
  const Row& r = input.layout->rows()[row];
  return canvas_y(input, r) + r.height / 2.0;
}

TEST_CASE("annotations are drawn with full names, kernels with labels", "[scene][timeline]") {
  const test::LaneSpec phases{{{kEpoch, 1000, "attn(F)", trace::Family::annotation, "user_annotation"},
                               {kEpoch + 1000, 1000, "attn(B)", trace::Family::annotation, "user_annotation"},
                               {kEpoch + 2000, 1000, "attn(W)", trace::Family::annotation, "user_annotation"}}};
  const test::LaneSpec kernels{
      {{kEpoch, 1500, "(anonymous namespace)::scaled_upper_triang<4>(int)"}, {kEpoch + 1500, 1500, "volta_sgemm"}}};
  RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {phases}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {kernels}});
  TimelineScene scene;
  std::vector<std::string> texts;
  for (const Label& label : scene.update(make_input(test::make_profile({spec}))).labels) texts.emplace_back(label.text);
  std::ranges::sort(texts);
  CHECK(texts == std::vector<std::string>{"attn(B)", "attn(F)", "attn(W)", "scaled_upper_triang", "volta_sgemm"});
}

TEST_CASE("an unchanged view is not redrawn", "[scene][timeline]") {
  const auto profile = test::make_profile({busy_rank()});
  TimelineInput input = make_input(profile);
  TimelineScene scene;
  const DrawList* first = &scene.update(input);
  const Rect* data = first->rects.data();
  CHECK(scene.revision() == 1);
  CHECK(scene.update(input).rects.data() == data);
  CHECK(scene.revision() == 1);

  SECTION("the view") { input.view = input.view.panned(1).zoomed(2, 3); }
  SECTION("the scroll") { input.scroll = 4; }
  SECTION("the theme") { input.theme = Theme::light; }
  SECTION("the layout") { input.layout = std::make_shared<const Layout>(*profile, TrackState{}); }
  SECTION("the highlight") { input.highlight = std::make_shared<const Highlight>(); }
  SECTION("the height") { input.height = 100; }
  scene.update(input);
  CHECK(scene.revision() == 2);
}

TEST_CASE("only rows at least partly in view are drawn", "[scene][timeline]") {
  const auto profile = test::make_profile({busy_rank(), busy_rank(), busy_rank()});
  TimelineInput input = make_input(profile);
  input.height = 90;
  input.scroll = 47;
  TimelineScene scene;
  const DrawList& list = scene.update(input);
  CHECK_FALSE(list.rects.empty());
  for (const Rect& rect : list.rects) {
    CHECK(rect.y > -28);
    CHECK(rect.y < input.height + 28);
  }
}

TEST_CASE("pinned rows cover the rows that scroll below them", "[scene][timeline]") {
  const auto profile = test::make_profile({busy_rank()});
  TrackState state;
  state.toggle_pinned(profile->tree.entries[find_entry(*profile, TreeKind::stream)].key);
  TimelineInput input = make_input(profile, state);
  input.scroll = 30;
  input.view = input.view.zoomed(100, 500);
  TimelineScene scene;
  const DrawList& list = scene.update(input);
  const int pinned = input.layout->pinned_height();
  REQUIRE(pinned == 20);
  const auto cover = std::find_if(list.rects.begin(), list.rects.end(), [&](const Rect& rect) {
    return rect.y == 0 && rect.height == pinned && rect.color == theme_colors(Theme::dark).ground;
  });
  REQUIRE(cover != list.rects.end());
  // Everything drawn after the cover and within its height belongs to the pinned row.
  CHECK(std::any_of(cover + 1, list.rects.end(), [](const Rect& rect) { return rect.y == 0; }));
  for (auto rect = cover + 2; rect != list.rects.end(); ++rect) CHECK(rect->y < pinned + 1);
}

TEST_CASE("filter matches are drawn on top of the dimmed slices", "[scene][timeline]") {
  const auto profile = test::make_profile({busy_rank()});
  TimelineInput input = make_input(profile);
  input.view = input.view.fitted({kEpoch + 90'000, kEpoch + 98'000}, 0);
  const trace::SliceOrdinal first = profile->ranks[0]->lane_start[2];
  const std::vector<trace::SliceRef> hits{{0, first + 100}, {0, first + 104}};
  input.highlight = std::make_shared<const Highlight>(*profile, hits);
  CHECK(input.highlight->count() == 2);
  TimelineScene scene;
  const DrawList& list = scene.update(input);
  std::size_t full = 0;
  for (const Rect& rect : list.rects)
    if (rect.color >> 24 == 255 && rect.height == 19 && rect.x1 - rect.x0 > 20 && rect.x1 - rect.x0 < 200) ++full;
  CHECK(full == 2);
  // Each label appears only once.
  for (std::size_t i = 0; i < list.labels.size(); ++i)
    for (std::size_t k = i + 1; k < list.labels.size(); ++k)
      CHECK_FALSE((list.labels[i].x0 == list.labels[k].x0 && list.labels[i].y == list.labels[k].y));
}

TEST_CASE("the hit test finds the slice under the pointer", "[scene][hit]") {
  const auto profile = test::make_profile({busy_rank()});
  TimelineInput input = make_input(profile);
  input.view = input.view.fitted({kEpoch + 90'000, kEpoch + 98'000}, 0);
  const std::uint32_t row = input.layout->row_of_lane(*profile, 0, 2);
  const trace::TimeColumn& time = profile->ranks[0]->lanes[2].time();
  for (std::uint32_t i = 100; i < 108; ++i) {
    for (const Ns t : {time.begin(i), time.begin(i) + 200, time.end(i) - 1}) {
      const Hit hit = hit_test(input, input.view.to_px(t) + 0.01, middle(input, row));
      CHECK(hit.kind == HitKind::slice);
      REQUIRE(hit.slice);
      CHECK(hit.slice->slice == profile->ranks[0]->lane_start[2] + i);
      CHECK(hit.row == row);
    }
    // Between two kernels, far from both.
    const Hit gap = hit_test(input, input.view.to_px(time.end(i) + 225), middle(input, row));
    CHECK(gap.kind == HitKind::row);
  }
  // Just beside a kernel.
  const Hit near = hit_test(input, input.view.to_px(time.begin(103)) - 2, middle(input, row));
  CHECK(near.kind == HitKind::slice);
}

TEST_CASE("a pixel with many slices reports their count, busy share and the longest slice", "[scene][hit]") {
  const auto profile = test::make_profile({busy_rank()});
  const TimelineInput input = make_input(profile);
  const std::uint32_t row = input.layout->row_of_lane(*profile, 0, 2);
  const trace::IntervalTree& tree = profile->ranks[0]->lanes[2].tree();
  std::size_t buckets = 0;
  for (int px = 25; px < 960; px += 7) {
    const Hit hit = hit_test(input, px + 0.5, middle(input, row));
    if (hit.kind != HitKind::bucket) continue;
    ++buckets;
    const auto range = tree.overlapping(hit.pixel.begin, hit.pixel.end);
    CHECK(hit.count == range.count());
    CHECK(hit.share == Approx(static_cast<double>(tree.busy(hit.pixel.begin, hit.pixel.end)) /
                              static_cast<double>(hit.pixel.length())));
    REQUIRE(hit.slice);
    CHECK(hit.slice->slice == profile->ranks[0]->lane_start[2] + tree.longest(range));
  }
  CHECK(buckets > 30);
}

TEST_CASE("the hit test finds rows, curves and the empty canvas", "[scene][hit]") {
  const auto profile = test::make_profile({busy_rank()});
  const TimelineInput input = make_input(profile);
  const std::uint32_t curve = input.layout->row_of_entry(find_entry(*profile, TreeKind::gpu_utilisation));
  const Hit hit = hit_test(input, 500, middle(input, curve));
  CHECK(hit.kind == HitKind::curve);
  CHECK(hit.share == Approx(0.5).margin(0.3));
  CHECK(hit_test(input, 500, input.layout->height() + 5).kind == HitKind::none);
  CHECK(hit_test(input, 500, middle(input, 0)).kind == HitKind::row);
  CHECK(hit_test(TimelineInput{}, 1, 1).kind == HitKind::none);
}

TEST_CASE("the hit test finds collapsed tracks", "[scene][hit]") {
  const auto profile = test::make_profile({busy_rank()});
  TrackState state;
  const std::uint32_t thread = find_entry(*profile, TreeKind::thread);
  state.open[profile->tree.entries[thread].key] = false;
  const TimelineInput input = make_input(profile, state);
  const std::uint32_t row = input.layout->row_of_entry(thread);
  REQUIRE(input.layout->rows()[row].kind == RowKind::summary);
  const Hit hit = hit_test(input, 500, middle(input, row));
  REQUIRE(hit.slice);
  CHECK(profile->name(*hit.slice) == "forward");
}

TEST_CASE("a slice's box is where the slice is drawn", "[scene][timeline]") {
  const auto profile = test::make_profile({busy_rank()});
  TimelineInput input = make_input(profile);
  input.view = input.view.fitted({kEpoch + 90'000, kEpoch + 98'000}, 0);
  const trace::SliceRef slice{0, profile->ranks[0]->lane_start[2] + 102};
  const auto box = box_of_slice(input, slice);
  REQUIRE(box);
  TimelineScene scene;
  const DrawList& list = scene.update(input);
  CHECK(std::any_of(list.rects.begin(), list.rects.end(), [&](const Rect& rect) {
    return rect.y == static_cast<int>(box->y0) && rect.x0 == Approx(box->x0).margin(1e-3) &&
           rect.x1 == Approx(box->x1).margin(1e-3);
  }));
}

TEST_CASE("a row's share covers the visible range", "[scene][timeline]") {
  const auto profile = test::make_profile({busy_rank()});
  const TimelineInput input = make_input(profile);
  const auto share_of = [&](std::uint32_t row, Interval range) {
    return visible_share(*profile, input.layout->rows()[row], range);
  };
  const std::uint32_t stream = input.layout->row_of_lane(*profile, 0, 2);
  CHECK(*share_of(stream, {kEpoch + 90'300, kEpoch + 90'750}) == Approx(1));
  CHECK(*share_of(stream, {kEpoch + 90'750, kEpoch + 91'200}) == Approx(0));
  CHECK(*share_of(stream, profile->span) == Approx(450.0 * 1000 / static_cast<double>(profile->span.length())));
  // A single GPU has its own curve, so the node does not repeat it as a mean.
  const std::uint32_t gpus = input.layout->row_of_entry(find_entry(*profile, TreeKind::node_gpus));
  CHECK_FALSE(share_of(gpus, profile->span));
  const std::uint32_t node = input.layout->row_of_entry(find_entry(*profile, TreeKind::node));
  CHECK_FALSE(share_of(node, profile->span));
}

TEST_CASE("the share of several GPUs is their mean", "[scene][timeline]") {
  const auto profile = test::make_profile({busy_rank(), busy_rank()});
  const TimelineInput input = make_input(profile);
  const auto share_of = [&](std::uint32_t row) {
    const auto share = visible_share(*profile, input.layout->rows()[row], profile->span);
    REQUIRE(share);
    return *share;
  };
  const std::uint32_t stream = input.layout->row_of_lane(*profile, 0, 2);
  const std::uint32_t gpus = input.layout->row_of_entry(find_entry(*profile, TreeKind::node_gpus));
  CHECK(share_of(gpus) == Approx(share_of(stream)));
}

TEST_CASE("overlapping lanes of a stream count once in its share", "[scene][timeline]") {
  RankSpec spec;
  test::LaneSpec first{{{1000, 1000}, {4000, 1000}}};
  test::LaneSpec second{{{1500, 1000}}, trace::LaneKind::overflow};
  test::LaneSpec third{{{1600, 100}, {2400, 400}}, trace::LaneKind::overflow};
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {first, second, third}});
  const auto profile = test::make_profile({spec});
  const TimelineInput input = make_input(profile);
  const Row& row = input.layout->rows()[input.layout->row_of_lane(*profile, 0, 0)];
  CHECK(*visible_share(*profile, row, {1000, 5000}) == Approx((1800.0 + 1000.0) / 4000));
}

}  // namespace
}  // namespace warpscope::scene
