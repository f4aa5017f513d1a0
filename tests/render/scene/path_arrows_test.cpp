// A critical path as links and segments, and its links as arrows: positions, and the selection if there are too many.
#include "render/scene/path_arrows.hpp"

#include <algorithm>
#include <set>

#include "core/analysis/critical_path/job_path.hpp"
#include "tests/catch.hpp"
#include "tests/render/scene/make_profile.hpp"

namespace warpscope::scene {
namespace {

using analysis::JobPath;
using analysis::JobPathSegment;
using analysis::TimeLabel;
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

/// `longer`: by how much the segment is longer on the common clock.
JobPathSegment& add(JobPath& path, TimeLabel what, std::uint32_t rank, Interval time, trace::SliceOrdinal from,
                    trace::SliceOrdinal to, Ns longer = 0) {
  JobPathSegment& segment = path.segments.emplace_back();
  segment.what = what;
  segment.rank = rank;
  segment.recorded = {kEpoch + time.begin, kEpoch + time.end};
  segment.time = {segment.recorded.begin, segment.recorded.end + longer};
  segment.slice = segment.to = to;
  segment.from = from;
  return segment;
}

/// Segments of the pairs: the calls until the launch, launch → kernel, kernel, which the call then waits for.
JobPath path_of(std::uint32_t first, std::uint32_t last) {
  JobPath path;
  for (std::uint32_t i = first; i < last; ++i) {
    const Ns at = 1000LL * i;
    const bool starts = i == first;
    add(path, TimeLabel::host, 0, {starts ? at : at - 300, at + 100}, call(starts ? i : i - 1), launch(i)).slice =
        call(i);
    add(path, TimeLabel::latency, 0, {at + 100, at + 400}, launch(i), kernel(i), i % 7);
    add(path, TimeLabel::computation, 0, {at + 400, at + 700}, kernel(i), kernel(i));
  }
  path.span = {path.segments.front().time.begin, path.segments.back().time.end};
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

TEST_CASE("a path has edges between slices, and segments of one class each", "[scene][path]") {
  const auto profile = pairs_profile();
  const PathChain chain(*profile, path_of(10, 12));
  CHECK(chain.time() == Interval{kEpoch + 10'000, kEpoch + 11'700});
  CHECK(chain.time_of(TimeLabel::host) == 100 + 400);
  CHECK(chain.time_of(TimeLabel::latency) == 303 + 304);
  CHECK(chain.time_of(TimeLabel::memory) == 0);
  CHECK(chain.lanes().size() == 3);

  REQUIRE(chain.links().size() == 3);
  const PathLink& first = chain.links()[0];
  CHECK(first.kind == PathLinkKind::launch);
  CHECK(first.left == kEpoch + 10'100);
  CHECK(first.reached == kEpoch + 10'400);
  CHECK(first.from == launch(10));
  CHECK(first.to == kernel(10));
  CHECK(first.index == 1);
  CHECK(chain.links()[1].kind == PathLinkKind::wait);
  CHECK(chain.links()[1].left == kEpoch + 10'700);
  CHECK(chain.links()[1].to == call(10));

  REQUIRE(chain.segments().size() == 6);
  CHECK(chain.segments()[0].what == TimeLabel::host);
  CHECK(chain.segments()[0].slice == call(10));
  CHECK(chain.segments()[1].what == TimeLabel::latency);
  CHECK(chain.segments()[1].slice == kernel(10));
  CHECK(chain.segments()[5].what == TimeLabel::computation);
  CHECK(chain.segment_at(kEpoch + 10'650) == 2);
  CHECK_FALSE(chain.segment_at(kEpoch + 12'000));

  REQUIRE(chain.part_of({0, kernel(11)}));
  CHECK(chain.part_of({0, kernel(11)})->weight == 300);
  CHECK(chain.part_of({0, kernel(11)})->what == TimeLabel::computation);
  CHECK(chain.part_of({0, launch(11)})->weight == 0);
  CHECK_FALSE(chain.part_of({0, kernel(12)}));
}

TEST_CASE("edges are arrows from slice to slice", "[scene][path]") {
  const auto profile = pairs_profile();
  const PathChain chain(*profile, path_of(0, kPairs));
  const TimelineInput input = input_of(profile, pairs(100, 102));
  const PathInView seen = path_in_view(input, chain);
  CHECK_FALSE(seen.thinned());
  REQUIRE(seen.arrows.size() == 4);
  CHECK(seen.links == 4);
  const Arrow& down = seen.arrows[0].arrow;
  CHECK(down.from.x == Approx(input.view.to_px(kEpoch + 100'100)));
  CHECK(down.to.x == Approx(input.view.to_px(kEpoch + 100'400)));
  CHECK(down.from.y != down.to.y);
  CHECK_FALSE(seen.arrows[0].flat);
  // Bars show where the path spends its time: three calls in the thread's first row, two kernels.
  REQUIRE(seen.bars.size() == 5);
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
  CHECK(path_in_view(input_of(profile, pairs(500, 502)), PathChain(*profile, path_of(10, 12))).links == 0);
  CHECK(path_in_view(TimelineInput(), chain).links == 0);
}

TEST_CASE("a path across ranks has an arrow from the last rank of a collective to the next rank", "[scene][path]") {
  const auto profile = pairs_profile(2);
  JobPath path;
  add(path, TimeLabel::latency, 0, {10'100, 10'400}, launch(10), kernel(10));
  add(path, TimeLabel::transfer, 0, {10'400, 10'700}, kernel(10), kernel(10)).met = trace::SliceRef{1, kernel(10)};
  add(path, TimeLabel::unknown, 1, {10'700, 11'400}, kernel(10), kernel(11));
  add(path, TimeLabel::computation, 1, {11'400, 11'700}, kernel(11), kernel(11));
  path.span = {kEpoch + 10'100, kEpoch + 11'700};
  const PathChain chain(*profile, path);
  CHECK(chain.length() == 1'600);
  CHECK(chain.changes_rank());
  REQUIRE(chain.ranks().size() == 2);
  CHECK(chain.ranks()[0].rank == 1);
  CHECK(chain.ranks()[0].time == 1'000);
  CHECK(chain.time_of(TimeLabel::transfer) == 300);
  REQUIRE(chain.segments().size() == 4);
  CHECK(chain.segments()[3].rank == 1);
  CHECK(chain.segment_at(kEpoch + 11'000) == 2);
  REQUIRE(chain.part_of({1, kernel(11)}));
  CHECK(chain.part_of({1, kernel(11)})->weight == 300);
  CHECK_FALSE(chain.part_of({0, kernel(11)}));
  REQUIRE(chain.links().size() == 3);
  CHECK(chain.links()[0].kind == PathLinkKind::launch);
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
  const PathChain chain(*profile, path_of(0, kPairs));
  const PathInView all = path_in_view(input_of(profile, pairs(0, kPairs)), chain);
  CHECK(all.links == 2 * kPairs - 1);  // edges along a row are too short to be visible
  CHECK(all.thinned());
  CHECK(all.arrows.size() <= kPathArrowLimit);
  CHECK(all.arrows.size() >= 100);
  CHECK(all.bars.size() == 2);  // when zoomed out, they touch
  CHECK(std::ranges::is_sorted(all.arrows, {}, &PathArrow::link));
  // Each cell is 16 calls wide and contains launches of all weights, but only the heaviest are shown.
  for (const PathArrow& each : all.arrows) {
    const PathLink& link = chain.links()[each.link];
    const bool at_an_edge = each.link < 40 || each.link > 2 * kPairs - 60;  // in a partly filled cell
    if (link.kind == PathLinkKind::launch && !at_an_edge) CHECK(link.weight == 306);
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
