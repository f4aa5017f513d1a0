// Search in the Timeline, the state after a jump from another page, and the effects of a selection.
#include "render/scene/hit_test.hpp"
#include "tests/app/ui/timeline_bench.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::test;
using namespace warpscope::tests;

TEST_CASE("a search without matches because of a jump's filter can clear the filter", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  Searcher& searcher = *const_cast<TimelinePage&>(bench.page()).searcher();
  bench.context().session.go_to("name~gemm_1");
  bench.window().settle();
  REQUIRE(searcher.filters() == std::vector<std::string>{"name~gemm_1"});
  bench.play("key:/;type:name~nccl;settle");
  CHECK(searcher.status().count == 0);
  bench.play("key:Esc;run:find.everything;settle");
  CHECK(searcher.filters().empty());
  CHECK(searcher.status().count == 2 * kSteps);
}

TEST_CASE("Esc clears the query, then a jump's filter, and keeps the user's filters", "[timeline][window]") {
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

TEST_CASE("a jump replaces the filter and the picked slices of the previous jump", "[timeline][window]") {
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
  // Picked slices stay while the user steps through them, and another jump removes them.
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

TEST_CASE("the bottom pane is collapsed until something is selected", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  CHECK(bench.dump().find("\"folded\": true") != std::string::npos);
  CHECK_FALSE(bench.context().settings.bottom_folded);
  const float folded = bench.page().geometry().canvas_size.y;
  bench.play("click:" + bench.place(kInKernel5, 0, kStream) + ";settle");
  REQUIRE(bench.selection().has_value());
  CHECK(bench.dump().find("\"folded\": false") != std::string::npos);
  CHECK(bench.page().geometry().canvas_size.y < folded);
  bench.play("key:Esc;settle");
  CHECK(bench.dump().find("\"folded\": false") != std::string::npos);  // the pane does not jump
  // If the user collapsed it, it stays collapsed.
  bench.play("key:b;click:" + bench.place(kInKernel5, 0, kStream) + ";settle");
  CHECK(bench.dump().find("\"folded\": true") != std::string::npos);
}

TEST_CASE("stepping to a search match opens the tab that shows it", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  bench.play("run:panel.range;settle");
  REQUIRE(bench.dump().find("\"tab\": \"range\"") != std::string::npos);
  bench.play("key:/;type:name~gemm_2;settle;key:Enter;settle");
  REQUIRE(bench.selection().has_value());
  CHECK(bench.dump().find("\"tab\": \"selection\"") != std::string::npos);
}

TEST_CASE("hovering follows rows that a filter moves under a stationary pointer", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  const TimelineGeometry& g = bench.page().geometry();
  const scene::Row& last = bench.state().layout()->rows().back();
  const int x = static_cast<int>(g.canvas.x) + 200;
  const int y = static_cast<int>(g.canvas.y) + last.y + last.height / 2;
  bench.play("move:" + std::to_string(x) + "," + std::to_string(y) + ";settle");
  REQUIRE(bench.page().hover().kind != scene::HitKind::none);
  // The text is typed letter by letter, and each letter leaves different rows in the frame that draws the tooltip.
  bench.play("key:t;type:stream 20;settle");
  CHECK(bench.page().hover().kind == scene::HitKind::none);
  bench.play("key:Ctrl+a;type:no such track;settle");
  CHECK(bench.page().hover().kind == scene::HitKind::none);
}

TEST_CASE("hovering follows a view that keys move under a stationary pointer", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  const std::string place = bench.place(kInKernel5, 0, kStream);
  bench.play("move:" + place + ";settle");
  REQUIRE(bench.page().hover().kind == scene::HitKind::slice);
  bench.play("key:f;key:d*3;settle");
  const std::size_t comma = place.find(',');
  const double x = std::stod(place.substr(0, comma)) - bench.page().geometry().canvas.x;
  const double y = std::stod(place.substr(comma + 1)) - bench.page().geometry().canvas.y;
  const scene::Hit hit = scene::hit_test(bench.state().input(), x, y);
  CHECK(bench.page().hover().kind == hit.kind);
  CHECK(bench.page().hover().slice == hit.slice);
  CHECK(bench.page().hover().time == hit.time);
}

}  // namespace
}  // namespace warpscope::ui
