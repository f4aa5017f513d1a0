#include <algorithm>

#include "app/ui/timeline/connection_rows.hpp"
#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/timeline_options.hpp"
#include "tests/app/ui/timeline_fixture.hpp"
#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::test;

constexpr Where kKernel5{kStream7, 0, 5};  // step 1, second kernel

bool shows(const TimelineState& state, Interval interval) {
  const Interval visible = state.target().visible();
  return visible.begin <= interval.begin && interval.end <= visible.end;
}

TEST_CASE("a new profile is shown in full and stays that way as it grows", "[timeline][state]") {
  TimelineState state;
  state.resize(1000, 400, 1, scene::Density::normal);
  state.set_profile(job_profile(1, false), true);
  CHECK(shows(state, state.profile()->span));
  CHECK(state.showing_all());
  state.set_profile(job_profile(2), false);
  CHECK(shows(state, state.profile()->span));
  CHECK(state.showing_all());
  CHECK_FALSE(state.can_undo());
  state.resize(1500, 400, 1, scene::Density::normal);
  CHECK(shows(state, state.profile()->span));
  CHECK_FALSE(state.can_undo());

  state.move(state.target().fitted({10 * kMs, 20 * kMs}), Pace::jump);
  rest(state);
  const Interval before = state.view().visible();
  state.set_profile(job_profile(3), false);
  CHECK(state.view().visible() == before);
}

TEST_CASE("returning to a profile restores the view", "[timeline][state]") {
  TimelineState state = open_state();
  const auto profile = state.profile();
  state.move(state.target().fitted({10 * kMs, 20 * kMs}), Pace::jump);
  state.mark(RangeMark{{11 * kMs, 12 * kMs}, true, {}});
  rest(state);
  const Interval before = state.view().visible();
  const TimelinePlace place = state.place();

  state.set_profile(job_profile(2), true);
  CHECK(state.range() == std::nullopt);
  CHECK(state.showing_all());
  state.set_profile(profile, true);
  state.restore(place);
  CHECK(state.view().visible() == before);
  CHECK(state.settled());
  REQUIRE(state.range());
  CHECK(state.range()->time == Interval{11 * kMs, 12 * kMs});
  CHECK(state.can_undo());
  state.undo();
  rest(state);
  CHECK(shows(state, profile->span));
}

TEST_CASE("zooming to a slice alternates between the slice and its surroundings", "[timeline][state]") {
  TimelineState state = open_state();
  const trace::SliceRef kernel = slice_at(*state.profile(), 0, kKernel5);
  const Interval own = interval_of(*state.profile(), kernel);
  fit(state, kernel);
  rest(state);
  CHECK(shows(state, own));
  CHECK(state.view().span() < 1.5 * static_cast<double>(own.length()));
  fit(state, kernel);
  rest(state);
  CHECK(shows(state, {kStepEvery, kStepEvery + 30 * kMs}));  // its step
  CHECK(state.view().span() < 1.2 * static_cast<double>(30 * kMs));
  fit(state, kernel);
  rest(state);
  CHECK(state.view().span() < 1.5 * static_cast<double>(own.length()));
}

TEST_CASE("the surroundings of a slice without a step are twenty times as long as the slice", "[timeline][state]") {
  const auto profile = job_profile();
  const Interval between{31 * kMs, 32 * kMs};
  CHECK(surroundings_of(*profile, between).length() == Approx(20 * kMs).margin(2));
}

TEST_CASE("each jump is one undo and redo step", "[timeline][state]") {
  TimelineState state = open_state();
  double now = rest(state);
  const Interval whole = state.view().visible();
  state.move(state.target().fitted({10 * kMs, 20 * kMs}), Pace::jump);
  now = rest(state, now);
  const Interval first = state.view().visible();
  state.move(state.target().fitted({50 * kMs, 55 * kMs}), Pace::jump);  // soon enough to count as part of a burst
  now = rest(state, now);
  const Interval second = state.view().visible();
  state.undo();
  now = rest(state, now);
  CHECK(state.view().visible() == first);
  state.undo();
  now = rest(state, now);
  CHECK(state.view().visible() == whole);
  CHECK_FALSE(state.can_undo());
  state.redo();
  state.redo();
  rest(state, now);
  CHECK(state.view().visible() == second);
  CHECK_FALSE(state.can_redo());
}

TEST_CASE("undo during a motion returns to where the motion started", "[timeline][state]") {
  TimelineState state = open_state();
  rest(state);
  const Interval whole = state.view().visible();
  state.move(state.target().fitted({10 * kMs, 20 * kMs}), Pace::jump);
  state.advance(1.0 / 60, 10);
  CHECK(state.can_undo());
  state.undo();
  rest(state, 11);
  CHECK(state.view().visible() == whole);
}

TEST_CASE("a burst of small motions is one undo step", "[timeline][state]") {
  TimelineState state = open_state();
  double now = rest(state, 5);
  const Interval whole = state.view().visible();
  now += 2;
  for (int i = 0; i < 5; ++i) {
    state.move(state.target().zoomed(1.25, 300), Pace::eased);
    now = rest(state, now);
  }
  state.undo();
  rest(state, now);
  CHECK(state.view().visible() == whole);
}

TEST_CASE("collapsing tracks above the pointer keeps the row under the pointer in place", "[timeline][state]") {
  TimelineState state = open_state(job_profile(6));
  state.scroll_to(200, Pace::at_once);
  const Where thread{kThread, 0, 0};
  const double before = row_middle(state, 2, thread);
  REQUIRE(before > 0);
  REQUIRE(before < 400);
  state.edit_tracks(
      [&](scene::TrackState& tracks) {
        tracks.set_open(state.profile()->tree, test::find_entry(*state.profile(), trace::TreeKind::process), false);
      },
      before);
  CHECK(row_middle(state, 2, thread) == before);
}

TEST_CASE("jumping to a slice expands and shows its track, and centers it", "[timeline][state]") {
  TimelineState state = open_state(job_profile(4));
  const trace::TrackTree& tree = state.profile()->tree;
  state.edit_tracks([&](scene::TrackState& tracks) {
    for (std::uint32_t i = 0; i < tree.entries.size(); ++i) tracks.set_open(tree, i, false);
    tracks.hidden.insert(tree.entries[test::find_entry(*state.profile(), trace::TreeKind::node_gpus)].key);
    tracks.filter = "no such track";
  });
  REQUIRE(state.layout()->rows().empty());
  const trace::SliceRef kernel = slice_at(*state.profile(), 3, kKernel5);
  state.move(state.target().fitted({0, 50 * kMs}), Pace::at_once);
  centre(state, kernel);
  rest(state);
  const auto box = scene::box_of_slice(state.input(), kernel);
  REQUIRE(box.has_value());
  CHECK((box->x0 + box->x1) / 2 == Approx(500).margin(2));
  CHECK(box->y0 >= 0);
  CHECK(box->y1 <= 400);
  CHECK(box->x1 - box->x0 >= 8);  // wide enough to be visible
}

TEST_CASE("the next-step command continues from the step in view and stops at the last step", "[timeline][state]") {
  TimelineState state = open_state();
  REQUIRE(state.profile()->steps.size() == kSteps);
  const auto marked = [&] { return state.range() ? state.range()->time.begin / kStepEvery : -1; };
  REQUIRE(step_steps(state, 1));
  CHECK(marked() == 0);  // all steps are in view, so it starts with the first
  rest(state);
  REQUIRE(step_steps(state, 1));
  CHECK(marked() == 1);
  CHECK(shows(state, {kStepEvery, kStepEvery + 30 * kMs}));
  REQUIRE(step_steps(state, 1));
  CHECK(marked() == 2);
  CHECK_FALSE(step_steps(state, 1));
  CHECK(marked() == 2);
  REQUIRE(step_steps(state, -1));
  CHECK(marked() == 1);
  state.mark(std::nullopt);
  REQUIRE(step_steps(state, -1));  // while in the middle of a step, goes to the previous step
  CHECK(marked() == 0);
}

TEST_CASE("connections are the launch and its GPU activity, and stepping through them wraps around",
          "[timeline][connections]") {
  const auto profile = job_profile();
  const trace::SliceRef kernel = slice_at(*profile, 1, kKernel5);
  const trace::SliceRef launch = slice_at(*profile, 1, {kThread, 1, 6});
  const auto rows = connection_rows(*profile, kernel);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].end == ConnectionEnd::launch);
  CHECK(rows[0].slice == launch);
  CHECK_FALSE(rows[0].latency.has_value());
  CHECK(rows[1].end == ConnectionEnd::run);
  CHECK(rows[1].slice == kernel);
  REQUIRE(rows[1].latency.has_value());
  CHECK(rows[1].latency->from_start == profile->begin(kernel) - profile->begin(launch));
  CHECK(connection_rows(*profile, launch).size() == 2);
  CHECK(step_connection(*profile, kernel, 1) == launch);
  CHECK(step_connection(*profile, launch, 1) == kernel);
  CHECK(step_connection(*profile, launch, -1) == kernel);
  CHECK(connection_rows(*profile, slice_at(*profile, 1, {kThread, 0, 0})).empty());
}

TEST_CASE("a launch with several kernels lists them by start time", "[timeline][connections]") {
  RankSpec spec = job_rank();
  spec.launches = {
      {{kThread, 1, 0}, {kStream7, 0, 3}}, {{kThread, 1, 0}, {kStream7, 0, 0}}, {{kThread, 1, 0}, {kStream20, 0, 0}}};
  const auto profile = make_profile({spec});
  const auto rows = connection_rows(*profile, slice_at(*profile, 0, {kStream7, 0, 3}));
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].slice == slice_at(*profile, 0, {kStream7, 0, 0}));
  CHECK(rows[2].slice == slice_at(*profile, 0, {kStream7, 0, 3}));
  CHECK(rows[3].slice == slice_at(*profile, 0, {kStream20, 0, 0}));
}

TEST_CASE("a graph node lists the nodes that it waits for and those that wait for it", "[timeline][connections]") {
  RankSpec spec = job_rank();
  spec.launches = {};
  spec.graph_edges = {{{kStream7, 0, 0}, {kStream7, 0, 2}},
                      {{kStream20, 0, 0}, {kStream7, 0, 2}},
                      {{kStream7, 0, 2}, {kStream7, 0, 3}}};
  const auto profile = make_profile({spec});
  const trace::SliceRef node = slice_at(*profile, 0, {kStream7, 0, 2});
  const auto rows = connection_rows(*profile, node);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].end == ConnectionEnd::predecessor);
  CHECK(rows[1].end == ConnectionEnd::predecessor);
  CHECK(rows[2].end == ConnectionEnd::node);
  CHECK(rows[2].slice == node);
  CHECK(rows[3].end == ConnectionEnd::successor);
  CHECK(rows[3].slice == slice_at(*profile, 0, {kStream7, 0, 3}));
  CHECK(step_connection(*profile, node, 1) == rows[3].slice);
}

TEST_CASE("a slice's neighbors are in the same lane", "[timeline][state]") {
  const auto profile = job_profile();
  const trace::SliceRef first = slice_at(*profile, 0, {kStream7, 0, 0});
  CHECK(neighbour(*profile, first, 1) == slice_at(*profile, 0, {kStream7, 0, 1}));
  CHECK_FALSE(neighbour(*profile, first, -1).has_value());
  CHECK_FALSE(neighbour(*profile, slice_at(*profile, 0, {kStream7, 0, kSteps * kKernels - 1}), 1).has_value());
}

TEST_CASE("a mark on rows covers their lanes, even as the profile grows", "[timeline][range]") {
  const auto first = job_profile(1);
  TimelineState state = open_state(first);
  const trace::TrackTree& tree = first->tree;
  const auto key = [&](trace::TreeKind kind, std::string_view label) {
    return tree.entries[test::find_entry(*first, kind, label)].key;
  };
  state.mark(
      RangeMark{{0, kMs},
                false,
                {{key(trace::TreeKind::stream, "stream 20"), 0}, {key(trace::TreeKind::thread, "thread 1"), 1}}});
  REQUIRE(state.selected_range() != nullptr);
  CHECK(state.selected_range()->lanes == std::vector<LaneRef>{{0, 1}, {0, 3}});
  const std::uint64_t revision = state.range_revision();
  state.set_profile(job_profile(2), false);
  REQUIRE(state.selected_range() != nullptr);
  CHECK(state.selected_range()->lanes == std::vector<LaneRef>{{0, 1}, {0, 3}});
  CHECK(state.range_revision() != revision);

  state.mark(RangeMark{{0, kMs}, false, {{key(trace::TreeKind::gpu_utilisation, ""), RowKey::kWhole}}});
  CHECK(state.selected_range()->lanes == std::vector<LaneRef>{{0, 0}, {0, 1}});
  state.mark(RangeMark{{5, 5}, true, {}});
  CHECK(state.selected_range() == nullptr);  // an empty range counts as no mark
}

TEST_CASE("options select the first match and reject invalid values", "[timeline][options]") {
  TimelineState state = open_state();
  const auto found = first_match(state.profile(), "name=gemm_1");
  REQUIRE(found.ok());
  CHECK(state.profile()->begin(*found) == 11 * kMs);
  CHECK_FALSE(first_match(state.profile(), "name=absent").ok());
  CHECK_FALSE(first_match(state.profile(), "dur>").ok());

  TimelineOptions options;
  options.from = 10 * kMs;
  options.to = 20 * kMs;
  CHECK_FALSE(show_window(state, options).has_value());
  CHECK(state.view().visible() == Interval{10 * kMs, 20 * kMs});
  options.to = 5 * kMs;
  REQUIRE(show_window(state, options));
  CHECK(show_window(state, options)->message() ==
        "--from 10.0 ms --to 5.00 ms: this time range is empty; use a --to later than --from");
  options.to.reset();
  options.from = 100 * 1000 * kMs;  // the error lists only options that were given
  REQUIRE(show_window(state, options));
  CHECK(show_window(state, options)->where.find("--to") == std::string::npos);
  CHECK(show_window(state, options)->advice.starts_with("use a time between 0 and "));

  show_connected(state, *found);
  CHECK(state.settled());
  CHECK(shows(state, {2 * kMs, 15 * kMs}));  // including its launch
}

}  // namespace
}  // namespace warpscope::ui
