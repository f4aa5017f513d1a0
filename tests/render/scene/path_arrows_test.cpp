// A critical path as links and segments, and its links as arrows: positions, and the selection if there are too many.
#include "render/scene/path_arrows.hpp"

#include <algorithm>
#include <set>

#include "core/analysis/ranks/job_path.hpp"
#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using analysis::BoundBy;
using analysis::CriticalLink;
using analysis::CriticalPath;
using analysis::EdgeKind;
using test::kEpoch;

constexpr std::uint32_t kPairs = 2000;

// On the thread, call i starts at 1000 i and contains its launch, which starts 100 later; on the stream, kernel i
// starts at 1000 i + 400.
std::shared_ptr<const trace::Profile> pairs_profile(std::size_t ranks = 1) {
  test::LaneSpec calls;
  test::LaneSpec launches;
  test::LaneSpec kernels;
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    calls.slices.push_back({kEpoch + 1000LL * i, 800, "aten::mm", trace::Family::op});
    launches.slices.push_back({kEpoch + 1000LL * i + 100, 200, "cudaLaunchKernel", trace::Family::runtime});
    kernels.slices.push_back({kEpoch + 1000LL * i + 400, 300, "gemm"});
  }
  test::RankSpec spec;
  spec.tracks.push_back({trace::TrackKind::stream, "stream 7", {kernels}});
  spec.tracks.push_back({trace::TrackKind::thread, "thread 1", {calls, launches}});
  return test::make_profile(std::vector(ranks, spec));
}

trace::SliceOrdinal kernel(std::uint32_t i) { return i; }
trace::SliceOrdinal call(std::uint32_t i) { return kPairs + i; }
trace::SliceOrdinal launch(std::uint32_t i) { return 2 * kPairs + i; }

CriticalLink edge(EdgeKind kind, BoundBy bound, Ns weight, trace::SliceOrdinal from, bool from_begin,
                  trace::SliceOrdinal to, bool to_begin) {
  CriticalLink link;
  link.kind = kind;
  link.bound = bound;
  link.weight = weight;
  link.from = from;
  link.to = to;
  link.from_begin = from_begin;
  link.to_begin = to_begin;
  return link;
}

/// Edges of the i-th pair: call → launch → kernel → end of the call that waits for it → next call.
void add_pair(CriticalPath& path, std::uint32_t i, bool last) {
  path.links.push_back(edge(EdgeKind::operation, BoundBy::cpu, 100, call(i), true, launch(i), true));
  path.links.back().slice = call(i);
  path.links.push_back(
      edge(EdgeKind::launch_delay, BoundBy::launch_overhead, 300 + i % 7, launch(i), true, kernel(i), true));
  path.links.push_back(edge(EdgeKind::operation, BoundBy::computation, 300, kernel(i), true, kernel(i), false));
  path.links.back().slice = kernel(i);
  path.links.push_back(edge(EdgeKind::sync, BoundBy::nothing, 0, kernel(i), false, call(i), false));
  if (!last) path.links.push_back(edge(EdgeKind::dependency, BoundBy::nothing, 0, call(i), false, call(i + 1), true));
}

CriticalPath path_of(std::uint32_t first, std::uint32_t last) {
  CriticalPath path;
  for (std::uint32_t i = first; i < last; ++i) add_pair(path, i, i + 1 == last);
  for (const CriticalLink& link : path.links) path.length += link.weight;
  return path;
}

TimelineInput input_of(const std::shared_ptr<const trace::Profile>& profile, Interval time) {
  TrackState state;
  for (std::uint32_t i = 0; i < profile->tree.entries.size(); ++i) state.set_open(profile->tree, i, true);
  TimelineInput input;
  input.profile = profile;
  input.layout = std::make_shared<const Layout>(*profile, state);
  input.view = TimeView(profile->span, 1000).fitted(time, 0);
  input.height = 400;
  return input;
}

Interval pairs(std::int64_t first, std::int64_t last) { return {kEpoch + 1000 * first, kEpoch + 1000 * last}; }

TEST_CASE("a path has edges between slices, and segments with one bottleneck each", "[scene][path]") {
  const auto profile = pairs_profile();
  const PathChain chain(*profile, 0, path_of(10, 12));
  CHECK(chain.time() == Interval{kEpoch + 10'000, kEpoch + 11'800});
  CHECK(chain.bound_by(BoundBy::cpu) == 200);
  CHECK(chain.bound_by(BoundBy::launch_overhead) == 303 + 304);
  CHECK(chain.bound_by(BoundBy::memory) == 0);
  CHECK(chain.lanes().size() == 3);

  // There are no arrows for edges within a thread or a kernel.
  REQUIRE(chain.links().size() == 5);
  const PathLink& first = chain.links()[0];
  CHECK(first.kind == EdgeKind::launch_delay);
  CHECK(first.left == kEpoch + 10'100);
  CHECK(first.reached == kEpoch + 10'400);
  CHECK(first.from == launch(10));
  CHECK(first.to == kernel(10));
  CHECK(first.index == 1);
  CHECK(chain.links()[1].kind == EdgeKind::sync);
  CHECK(chain.links()[1].left == kEpoch + 10'700);
  CHECK(chain.links()[1].reached == kEpoch + 10'800);

  REQUIRE(chain.segments().size() == 6);
  CHECK(chain.segments()[0].bound == BoundBy::cpu);
  CHECK(chain.segments()[0].slice == call(10));
  CHECK(chain.segments()[0].time == Interval{kEpoch + 10'000, kEpoch + 10'100});
  CHECK(chain.segments()[1].bound == BoundBy::launch_overhead);
  CHECK(chain.segments()[1].slice == kernel(10));
  CHECK(chain.segments()[5].bound == BoundBy::computation);
  CHECK(chain.segment_of(6) == 4);  // the second launch
  CHECK(chain.segment_of(4) == 2);  // leads to the next call, so it has no segment of its own
  CHECK(chain.segment_at(kEpoch + 10'650) == 2);
  CHECK_FALSE(chain.segment_at(kEpoch + 12'000));

  REQUIRE(chain.part_of({0, kernel(11)}));
  CHECK(chain.part_of({0, kernel(11)})->weight == 300);
  CHECK(chain.part_of({0, kernel(11)})->bound == BoundBy::computation);
  CHECK(chain.part_of({0, launch(11)})->weight == 0);
  CHECK_FALSE(chain.part_of({0, kernel(12)}));
}

TEST_CASE("a thread's work until the path leaves it is one segment", "[scene][path]") {
  const auto profile = pairs_profile();
  CriticalPath path;
  for (std::uint32_t i = 0; i < 3; ++i) {
    path.links.push_back(edge(EdgeKind::operation, BoundBy::cpu, 800 + 10 * i, call(i), true, call(i), false));
    path.links.back().slice = call(i);
    if (i < 2) path.links.push_back(edge(EdgeKind::dependency, BoundBy::nothing, 0, call(i), false, call(i + 1), true));
    path.length += 800 + 10 * i;
  }
  const PathChain chain(*profile, 0, path);
  REQUIRE(chain.segments().size() == 1);
  CHECK(chain.segments()[0].weight == 2430);
  CHECK(chain.segments()[0].slice == call(2));
  CHECK(chain.segments()[0].time == Interval{kEpoch, kEpoch + 2800});
  CHECK(chain.segments()[0].first == 0);
  CHECK(chain.segments()[0].last == 5);
}

TEST_CASE("edges are arrows from slice to slice", "[scene][path]") {
  const auto profile = pairs_profile();
  const PathChain chain(*profile, 0, path_of(0, kPairs));
  const TimelineInput input = input_of(profile, pairs(100, 102));
  const PathInView seen = path_in_view(input, chain);
  CHECK_FALSE(seen.thinned());
  REQUIRE(seen.arrows.size() == 6);
  CHECK(seen.links == 6);
  const Arrow& down = seen.arrows[0].arrow;
  CHECK(down.from.x == Approx(input.view.to_px(kEpoch + 100'100)));
  CHECK(down.to.x == Approx(input.view.to_px(kEpoch + 100'400)));
  CHECK(down.from.y != down.to.y);
  CHECK_FALSE(seen.arrows[0].flat);
  // Leads to the next call in the same row.
  CHECK(seen.arrows[2].flat);
  CHECK(chain.links()[seen.arrows[2].link].kind == EdgeKind::dependency);

  // Bars show where the path spends its time: two calls in the thread's first row, two kernels.
  REQUIRE(seen.bars.size() == 4);
  CHECK(std::ranges::count(seen.bars, seen.bars[0].y, &PathBar::y) == 2);
  CHECK(seen.bars[0].y < down.to.y);
  CHECK(seen.bars[0].y > down.to.y - 20);
  CHECK(seen.bars[0].x0 == Approx(input.view.to_px(kEpoch + 100'400)));
  CHECK(seen.bars[0].x1 == Approx(input.view.to_px(kEpoch + 100'700)));
  // No loops: curves stay close to the slices that they connect.
  CHECK(down.control1.x - down.from.x <= std::abs(down.to.x - down.from.x) / 2 + 12);

  const Point middle = middle_of(down);
  CHECK(arrow_near(seen.arrows, middle, 4) == 0);
  CHECK(arrow_near(seen.arrows, {middle.x + 2, middle.y}, 4) == 0);
  CHECK_FALSE(arrow_near(seen.arrows, {middle.x, middle.y + 300}, 4));

  // Draws nothing outside the time range of the path, or if its rank has no rows.
  CHECK(path_in_view(input_of(profile, pairs(500, 502)), PathChain(*profile, 0, path_of(10, 12))).links == 0);
  CHECK(path_in_view(TimelineInput(), chain).links == 0);
}

TEST_CASE("a path across ranks has an arrow from the last rank of a collective to the next rank", "[scene][path]") {
  using analysis::JobPathSegment;
  using analysis::Stretch;
  const auto profile = pairs_profile(2);
  analysis::JobPath path;
  const auto add = [&](Stretch what, std::uint32_t rank, Ns begin, Ns end, trace::SliceOrdinal from,
                       trace::SliceOrdinal to) -> JobPathSegment& {
    JobPathSegment& segment = path.segments.emplace_back();
    segment.what = what;
    segment.rank = rank;
    segment.time = segment.recorded = {kEpoch + begin, kEpoch + end};
    segment.slice = segment.to = to;
    segment.from = from;
    return segment;
  };
  add(Stretch::launch, 0, 10'100, 10'400, launch(10), kernel(10));
  add(Stretch::transfer, 0, 10'400, 10'700, kernel(10), kernel(10)).met = trace::SliceRef{1, kernel(10)};
  add(Stretch::gap, 1, 10'700, 11'400, kernel(10), kernel(11));
  add(Stretch::kernel, 1, 11'400, 11'700, kernel(11), kernel(11));
  path.span = {kEpoch + 10'100, kEpoch + 11'700};
  const PathChain chain(*profile, path);
  CHECK(chain.length() == 1'600);
  CHECK(chain.changes_rank());
  REQUIRE(chain.ranks().size() == 2);
  CHECK(chain.ranks()[0].rank == 1);
  CHECK(chain.ranks()[0].time == 1'000);
  CHECK(chain.bound_by(BoundBy::communication) == 300);
  REQUIRE(chain.segments().size() == 4);
  CHECK(chain.segments()[3].rank == 1);
  CHECK(chain.segment_at(kEpoch + 11'000) == 2);
  REQUIRE(chain.part_of({1, kernel(11)}));
  CHECK(chain.part_of({1, kernel(11)})->weight == 300);
  CHECK_FALSE(chain.part_of({0, kernel(11)}));
  REQUIRE(chain.links().size() == 3);
  CHECK(chain.links()[0].kind == EdgeKind::launch_delay);
  const PathLink& change = chain.links()[1];
  CHECK(change.changes_rank());
  CHECK(change.from == kernel(10));
  CHECK(change.to == kernel(10));
  CHECK(change.left == kEpoch + 10'700);
  CHECK(change.weight == 0);
  CHECK(chain.links()[2].weight == 700);

  const PathInView seen = path_in_view(input_of(profile, pairs(10, 12)), chain);
  REQUIRE(seen.arrows.size() == 3);
  const Arrow& arrow = seen.arrows[1].arrow;
  CHECK(arrow.launch == trace::SliceRef{0, kernel(10)});
  CHECK(arrow.run == trace::SliceRef{1, kernel(10)});
  CHECK(arrow.from.y < arrow.to.y);
  CHECK(arrow.from.x == Approx(arrow.to.x));
  CHECK(seen.bars.size() == 2);
}

TEST_CASE("among crowded edges, the longest are shown in every view", "[scene][path]") {
  const auto profile = pairs_profile();
  const PathChain chain(*profile, 0, path_of(0, kPairs));
  const PathInView all = path_in_view(input_of(profile, pairs(0, kPairs)), chain);
  CHECK(all.links == 2 * kPairs);  // edges along a row are too short to be visible
  CHECK(all.thinned());
  CHECK(all.arrows.size() <= kPathArrowLimit);
  CHECK(all.arrows.size() >= 100);
  CHECK(all.bars.size() == 2);  // when zoomed out, they touch
  CHECK(std::ranges::is_sorted(all.arrows, {}, &PathArrow::link));
  // Each cell is 16 calls wide and contains launches of all weights, but only the heaviest are shown.
  for (const PathArrow& each : all.arrows) {
    const PathLink& link = chain.links()[each.link];
    const bool at_an_edge = each.link < 40 || each.link > 3 * kPairs - 60;  // in a partly filled cell
    if (link.kind == EdgeKind::launch_delay && !at_an_edge) CHECK(link.weight == 306);
  }

  const TimelineInput input = input_of(profile, pairs(500, 900));
  TimelineInput panned = input;
  panned.view = input.view.panned(37.3);
  const auto kept = [&](const TimelineInput& of) {
    std::set<std::uint32_t> links;
    for (const PathArrow& each : path_in_view(of, chain).arrows) {
      const Interval inner = pairs(560, 840);
      if (inner.contains(chain.links()[each.link].left)) links.insert(each.link);
    }
    return links;
  };
  CHECK(path_in_view(input, chain).thinned());
  CHECK(kept(input).size() > 50);
  CHECK(kept(input) == kept(panned));
}

}  // namespace
}  // namespace warpscope::scene
