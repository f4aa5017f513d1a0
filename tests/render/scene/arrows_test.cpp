// Arrows from launches to GPU activity, including ends that are collapsed or out of view.
#include "render/scene/arrows.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using test::kEpoch;

using test::find_entry;
using test::RankSpec;
using trace::TreeKind;

constexpr int kLaunches = 1200;

// Launch i starts at 1000 i, and its GPU activity starts 5000 later.
std::shared_ptr<const trace::Profile> launching_profile() {
  test::LaneSpec calls;
  test::LaneSpec kernels;
  RankSpec spec;
  for (std::uint32_t i = 0; i < kLaunches; ++i) {
    calls.slices.push_back({kEpoch + 1000LL * i, 200, "cudaLaunchKernel", trace::Family::runtime});
    kernels.slices.push_back({kEpoch + 1000LL * i + 5000, 600, "gemm"});
    spec.launches.push_back({{0, 0, i}, {1, 0, i}});
  }
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {calls}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {kernels}});
  return test::make_profile({spec});
}

TimelineInput arrows_input(const std::shared_ptr<const trace::Profile>& profile, TrackState state = {}) {
  for (std::uint32_t i = 0; i < profile->tree.entries.size(); ++i)
    if (!state.open.contains(profile->tree.entries[i].key)) state.set_open(profile->tree, i, true);
  TimelineInput input;
  input.profile = profile;
  input.layout = std::make_shared<const Layout>(*profile, state);
  input.view = TimeView(profile->span, 1000).fitted({kEpoch + 100'000, kEpoch + 120'000}, 0);
  input.height = 400;
  return input;
}

trace::Connection connection(const trace::Profile& profile, std::size_t i) {
  return profile.ranks[0]->launches.all()[i];
}

double row_middle(const TimelineInput& input, std::uint32_t lane) {
  const Row& row = input.layout->rows()[input.layout->row_of_lane(*input.profile, 0, lane)];
  return canvas_y(input, row) + content_height(row.height, input.scale) / 2.0;
}

TEST_CASE("an arrow goes from the end of the launch to the start of the kernel", "[scene][arrows]") {
  const auto profile = launching_profile();
  const TimelineInput input = arrows_input(profile);
  const auto arrow = make_arrow(input, 0, connection(*profile, 105));
  REQUIRE(arrow);
  CHECK(arrow->from.x == Approx(input.view.to_px(kEpoch + 105'200)));
  CHECK(arrow->to.x == Approx(input.view.to_px(kEpoch + 110'000)));
  CHECK(arrow->from.y == Approx(row_middle(input, 0)));
  CHECK(arrow->to.y == Approx(row_middle(input, 1)));
  CHECK(arrow->from_end == ArrowEnd::exact);
  CHECK(arrow->to_end == ArrowEnd::exact);
  CHECK(arrow->direction.x == 1);
  CHECK(arrow->control1.x > arrow->from.x);
  CHECK(arrow->control2.x < arrow->to.x);
}

TEST_CASE("calls nested below the last row have launch arrows, and the row shows how many levels it contains") {
  test::LaneSpec calls{{{kEpoch, 100'000, "outer"}}};
  test::LaneSpec deep{{}, trace::LaneKind::folded};
  for (int i = 0; i < 37; ++i) deep.slices.push_back({kEpoch + 1000 + 100 * i, 50'000 - 200 * i, "f"});
  deep.slices.push_back({kEpoch + 60'000, 1000, "sibling"});
  RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {calls, deep}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {{{{kEpoch + 70'000, 600, "gemm"}}}}});
  spec.launches.push_back({{0, 1, 36}, {1, 0, 0}});
  const auto profile = test::make_profile({spec});
  TimelineInput input = arrows_input(profile);
  input.view = TimeView(profile->span, 1000);
  const Row& row = input.layout->rows()[input.layout->row_of_lane(*profile, 0, 1)];
  CHECK(row.note == "+37 levels");
  const ArrowsInView seen = arrows_in_view(input);
  REQUIRE(seen.arrows.size() == 1);
  CHECK(seen.arrows[0].from.y == Approx(row_middle(input, 1)));
}

TEST_CASE("an end in a collapsed group is on the group's row", "[scene][arrows]") {
  const auto profile = launching_profile();
  TrackState state;
  const std::uint32_t device = find_entry(*profile, TreeKind::gpu_device);
  state.open[profile->tree.entries[device].key] = false;
  const TimelineInput input = arrows_input(profile, state);
  const auto arrow = make_arrow(input, 0, connection(*profile, 105));
  REQUIRE(arrow);
  CHECK(arrow->to_end == ArrowEnd::ancestor);
  const Row& row = input.layout->rows()[input.layout->row_of_entry(device)];
  CHECK(arrow->to.y > canvas_y(input, row));
  CHECK(arrow->to.y < canvas_y(input, row) + row.height);
  CHECK(arrow->to.x == Approx(input.view.to_px(kEpoch + 110'000)));

  // With everything collapsed, both ends are on the only remaining row.
  state.open[profile->tree.entries[find_entry(*profile, TreeKind::node)].key] = false;
  const TimelineInput closed = arrows_input(profile, state);
  const auto flat = make_arrow(closed, 0, connection(*profile, 105));
  REQUIRE(flat);
  CHECK(flat->from.y == flat->to.y);
  CHECK(flat->from_end == ArrowEnd::ancestor);
}

TEST_CASE("an end outside the canvas is clamped to its edge, and the curve passes through it", "[scene][arrows]") {
  const auto profile = launching_profile();
  TimelineInput input = arrows_input(profile);

  const auto to_right = make_arrow(input, 0, connection(*profile, 118));
  REQUIRE(to_right);
  CHECK(to_right->to_end == ArrowEnd::edge);
  CHECK(to_right->to.x == 1000);
  CHECK(to_right->direction.x == 1);

  const auto from_left = make_arrow(input, 0, connection(*profile, 97));
  REQUIRE(from_left);
  CHECK(from_left->from_end == ArrowEnd::edge);
  CHECK(from_left->from.x == 0);
  CHECK(from_left->to_end == ArrowEnd::exact);

  // Both ends are to the left, so there is no arrow.
  CHECK_FALSE(make_arrow(input, 0, connection(*profile, 2)));

  // The row of the GPU activity is below the canvas and the launch's row is in it, or vice versa.
  const double thread = row_middle(input, 0);
  const double stream = row_middle(input, 1);
  REQUIRE(stream < thread);
  input.height = static_cast<int>((stream + thread) / 2);
  const auto up = make_arrow(input, 0, connection(*profile, 105));
  REQUIRE(up);
  CHECK(up->from_end == ArrowEnd::edge);
  CHECK(up->from.y == input.height);
  CHECK(up->control1.y < up->from.y);
  CHECK(up->to_end == ArrowEnd::exact);

  input.height = 400;
  input.scroll = static_cast<int>((stream + thread) / 2);
  const auto above = make_arrow(input, 0, connection(*profile, 105));
  REQUIRE(above);
  CHECK(above->to_end == ArrowEnd::edge);
  CHECK(above->to.y == 0);
  CHECK(above->direction.y == -1);
}

TEST_CASE("an arrow ends on the pinned row if the original row is scrolled out of view", "[scene][arrows]") {
  const auto profile = launching_profile();
  TrackState state;
  state.toggle_pinned(profile->tree.entries[find_entry(*profile, TreeKind::stream)].key);
  TimelineInput input = arrows_input(profile, state);
  input.scroll = static_cast<int>(row_middle(input, 0) - 40);
  const auto arrow = make_arrow(input, 0, connection(*profile, 105));
  REQUIRE(arrow);
  CHECK(arrow->to_end == ArrowEnd::exact);
  CHECK(arrow->to.y < input.layout->pinned_height());
}

TEST_CASE("a slice has the arrows of its launch and its GPU activity", "[scene][arrows]") {
  const auto profile = launching_profile();
  const TimelineInput input = arrows_input(profile);
  const trace::Connection one = connection(*profile, 105);
  for (const trace::SliceOrdinal slice : {one.from, one.to}) {
    const auto arrows = arrows_of(input, {0, slice});
    REQUIRE(arrows.size() == 1);
    CHECK(arrows[0].launch.slice == one.from);
    CHECK(arrows[0].run.slice == one.to);
  }
  CHECK(arrows_of(input, {7, 0}).empty());
}

TEST_CASE("a node of a CUDA graph has the arrows of its dependencies", "[scene][arrows]") {
  test::LaneSpec kernels;
  for (int i = 0; i < 3; ++i) kernels.slices.push_back({kEpoch + 1000LL * i, 600, "gemm"});
  RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {kernels}});
  spec.graph_edges = {{{0, 0, 0}, {0, 0, 1}}, {{0, 0, 1}, {0, 0, 2}}};
  const auto profile = test::make_profile({spec});
  const auto arrows = arrows_of(arrows_input(profile), {0, 1});
  REQUIRE(arrows.size() == 2);
  CHECK(arrows[0].launch.slice == 0);
  CHECK(arrows[0].run.slice == 1);
  CHECK(arrows[1].launch.slice == 1);
  CHECK(arrows[1].run.slice == 2);
}

TEST_CASE("all arrows in view are drawn, unless there are too many", "[scene][arrows]") {
  const auto profile = launching_profile();
  TimelineInput input = arrows_input(profile);
  const ArrowsInView some = arrows_in_view(input);
  CHECK_FALSE(some.too_many);
  CHECK(some.arrows.size() >= 20);
  CHECK(some.arrows.size() <= 22);
  input.view = TimeView(profile->span, 1000);
  const ArrowsInView all = arrows_in_view(input);
  CHECK(all.too_many);
  CHECK(all.arrows.empty());
}

TEST_CASE("a kernel that starts before its launch ends also has an arrow", "[scene][arrows]") {
  RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {{{{1000, 5000, "launch"}}}}});
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {{{{2000, 100, "run"}, {9000, 10, "x"}}}}});
  spec.launches.push_back({{0, 0, 0}, {1, 0, 0}});
  const auto profile = test::make_profile({spec});
  TimelineInput input = arrows_input(profile);
  input.view = TimeView(profile->span, 1000);
  const auto arrow = make_arrow(input, 0, connection(*profile, 0));
  REQUIRE(arrow);
  CHECK(arrow->from.x == Approx(arrow->to.x));
  CHECK(std::isfinite(arrow->control1.x));
}

}  // namespace
}  // namespace warpscope::scene
