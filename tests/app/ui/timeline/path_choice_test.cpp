// The rank whose critical path is shown, and the slices that are picked.
#include "app/ui/timeline/path_choice.hpp"

#include "core/analysis/critical_path/job_path.hpp"
#include "tests/app/ui/timeline_fixture.hpp"
#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::test;

TEST_CASE("picking a critical path lists each of its slices once, longest first") {
  const auto profile = job_profile();
  const PathRequest request = *path_request(*profile, {}, {}, 1);
  analysis::JobPath path;
  path.span = {0, 4'500'000};
  const trace::SliceOrdinal launch = slice_at(*profile, 0, {kThread, 1, 5}).slice;
  const trace::SliceOrdinal run = slice_at(*profile, 0, {kStream7, 0, 4}).slice;
  for (const auto& [from, to] : {std::pair(launch, launch), std::pair(launch, run), std::pair(run, run)}) {
    analysis::JobPathSegment& segment = path.segments.emplace_back();
    segment.from = from;
    segment.to = to;
  }
  const PickedSlices picked = path_slices(*profile, request, path);
  CHECK(picked.label == "critical path of ProfilerStep#1 of rank 0, 4.50 ms");
  CHECK(picked.slices == std::vector<trace::SliceRef>{{0, run}, {0, launch}});
}

TEST_CASE("the critical path is that of the selected slice's rank and the marked range") {
  const auto profile = job_profile();
  const trace::SliceRef selected = slice_at(*profile, 1, {kStream7, 0, 5});
  const auto request = path_request(*profile, selected, Interval{kMs, 2 * kMs}, 1);
  REQUIRE(request);
  CHECK(request->rank == 1);
  CHECK(request->window == Interval{kMs, 2 * kMs});
  CHECK(request->of == "the marked range of rank 1");
  CHECK(path_request(*profile, {}, {}, 2)->window == Interval{2 * kStepEvery, 2 * kStepEvery + 30 * kMs});
  CHECK(path_request(*profile, {}, {}, {})->of == "everything of rank 0");
  CHECK_FALSE(path_request(trace::Profile(), {}, {}, {}));
}

TEST_CASE("the critical path across ranks covers the marked range, or the step, or everything") {
  const auto profile = job_profile();
  const auto range = path_request(*profile, {}, Interval{kMs, 2 * kMs}, 1, true);
  REQUIRE(range);
  CHECK(range->all_ranks);
  CHECK(range->window == Interval{kMs, 2 * kMs});
  CHECK(range->of == "the marked range on all ranks");
  CHECK(path_request(*profile, {}, {}, 2, true)->window == profile->steps[2].time);
  CHECK(path_request(*profile, {}, {}, {}, true)->window == profile->span);
  CHECK_FALSE(path_request(trace::Profile(), {}, {}, {}, true));
}

}  // namespace
}  // namespace warpscope::ui
