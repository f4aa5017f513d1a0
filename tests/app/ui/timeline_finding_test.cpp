// Searching in the Timeline, what a jump from another page leaves there.
#include "tests/app/ui/timeline_bench.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::test;
using namespace warpscope::tests;

TEST_CASE("a search that a jump's filter leaves empty says so and can search everything", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  Searcher& searcher = *const_cast<TimelinePage&>(bench.page()).searcher();
  bench.context().session.go_to("name~gemm_1");
  bench.window().settle();
  REQUIRE(searcher.filters() == std::vector<std::string>{"name~gemm_1"});
  bench.play("key:/;type:name~nccl;settle");
  CHECK(searcher.status().count == 0);
  CHECK(bench.dump().find("\"filtered_out\": true") != std::string::npos);
  bench.play("key:Esc;run:find.everything;settle");
  CHECK(searcher.filters().empty());
  CHECK(searcher.status().count == 2 * kSteps);
  CHECK(bench.dump().find("\"filtered_out\": false") != std::string::npos);
  // Nothing is filtered out where nothing is found without filters either.
  bench.play("key:/;key:Ctrl+a;type:name~nothing;settle");
  CHECK(bench.dump().find("\"filtered_out\": false") != std::string::npos);
}

TEST_CASE("Esc removes a jump's filter after the query, and the user's own filters stay", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  Searcher& searcher = *const_cast<TimelinePage&>(bench.page()).searcher();
  searcher.add_filter("rank:0");
  bench.context().session.go_to("name~gemm_1");
  bench.window().settle();
  bench.play("key:/;type:name~gemm;settle;key:Esc;key:Esc");
  CHECK(bench.dump().find("\"query\": \"\"") != std::string::npos);
  CHECK(searcher.filters() == std::vector<std::string>{"rank:0", "name~gemm_1"});
  bench.play("key:Esc;settle");
  CHECK(searcher.filters() == std::vector<std::string>{"rank:0"});
  bench.play("key:Esc;settle");
  CHECK(searcher.filters() == std::vector<std::string>{"rank:0"});
}

TEST_CASE("a jump replaces the filter and the picked slices of the one before", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  Searcher& searcher = *const_cast<TimelinePage&>(bench.page()).searcher();
  Session& session = bench.context().session;
  const trace::SliceRef kernel = slice_at(bench.profile(), 0, {kStream7, 0, 5});
  const trace::SliceRef other = slice_at(bench.profile(), 1, {kStream7, 0, 0});
  const auto picked = std::make_shared<PickedSlices>();
  picked->label = "gemm_1";
  picked->slices = {kernel};

  session.go_to("name~gemm_1");
  bench.window().settle();
  session.go_to(Interval{kStepEvery, 2 * kStepEvery});
  bench.window().settle();
  CHECK(searcher.filters().empty());
  session.go_to("name~gemm_1");
  bench.window().settle();
  session.go_to(other);
  bench.window().settle();
  CHECK(searcher.filters().empty());
  // Picked slices stay while one goes from one of them to the next, and go with another jump.
  session.pick(picked);
  session.go_to(kernel);
  bench.window().settle();
  CHECK(searcher.filters() == std::vector<std::string>{"gemm_1"});
  session.go_to(other);
  bench.window().settle();
  CHECK(searcher.filters().empty());
  session.pick(picked);
  session.go_to(kernel);
  bench.window().settle();
  session.go_to("name~gemm_2");
  bench.window().settle();
  CHECK(searcher.filters() == std::vector<std::string>{"name~gemm_2"});
}

}  // namespace
}  // namespace warpscope::ui
