// The collective of the selection: its kernels on all ranks, outlined and listed, and navigation between ranks.
#include <algorithm>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/hover_card.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "core/base/format.hpp"
#include "render/scene/hit_test.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/small_job.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

/// A generated job with four ranks, the third of which is slow, shown in the Timeline.
class CollectiveBench {
 public:
  explicit CollectiveBench(int gpus = 4) {
    tracegen::Options job = small_job(gpus);
    job.steps = 3;
    if (gpus > 2) job.stragglers = {{2, 150}};
    (void)tracegen::generate(job, folder_.path());
    app_ = offscreen_app(app_options(directory_loader({}), {page_at(timeline_)}), 1400, 900);
    if (!app_) return;
    play(*app_, "open:" + folder_.path().string() + ";settle;run:page.timeline;settle");
    REQUIRE(profile());
  }
  [[nodiscard]] bool works() const { return app_ != nullptr; }
  void run(const std::string& script) { play(*app_, script + ";settle"); }
  [[nodiscard]] Session& session() { return app_->app().context().session; }
  [[nodiscard]] CommandTable& commands() { return app_->app().context().commands; }
  [[nodiscard]] const std::shared_ptr<const trace::Profile>& profile() { return session().profile(); }
  [[nodiscard]] const TimelinePage& page() const { return *timeline_; }
  [[nodiscard]] const ChosenCollective* chosen() const { return timeline_->matcher().chosen(); }
  [[nodiscard]] std::optional<trace::SliceRef> selection() { return session().selection(); }
  [[nodiscard]] std::string state() { return app_->app().state_text(); }
  [[nodiscard]] bool has(std::string_view text) { return state_has(*app_, text); }
  [[nodiscard]] double number(std::string_view key) {
    const std::string text = state();
    const std::string quoted = "\"" + std::string(key) + "\": ";
    const std::size_t at = text.find(quoted);
    REQUIRE(at != std::string::npos);
    return std::stod(text.substr(at + quoted.size()));
  }
  /// Selects the earliest kernel of the collective with the longest wait.
  void select_kernel_of_late_collective() {
    const scene::RibbonSet& set = *page().matcher().ranks()->ribbons;
    const auto ribbon = std::ranges::max_element(set.ribbons(), {}, &scene::Ribbon::skew);
    REQUIRE(ribbon != set.ribbons().end());
    session().select(set.runs_of(*ribbon)[ribbon->early].slice);
    run("run:panel.collective");
  }

 private:
  TestFolder folder_;
  TimelinePage* timeline_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
};

TEST_CASE("a selected communication kernel lists the matching kernels below which rank arrived last and why",
          "[timeline][window][collective]") {
  CollectiveBench bench;
  if (!bench.works()) return;
  CHECK(bench.has("\"Collective\""));
  CHECK(bench.has("\"counterparts\": 0"));
  bench.select_kernel_of_late_collective();
  REQUIRE(bench.chosen() != nullptr);
  const ChosenCollective& chosen = *bench.chosen();
  REQUIRE(chosen.slices.size() == 4);
  CHECK(chosen.sentence.starts_with("Rank 2 arrived "));
  CHECK(chosen.sentence.find(". Rank 2: ") != std::string::npos);
  CHECK(chosen.about.find("of 4 ranks") != std::string::npos);
  CHECK_FALSE(chosen.clocks.empty());
  CHECK(chosen.reason.empty());
  CHECK(bench.has("\"label\": \"Collective 4\""));
  // The last rank is listed first; starts are in descending order.
  CHECK(chosen.rows.at(0, 0).integer() == 2);
  CHECK(chosen.rows.at(0, 1).text() == "last");
  CHECK(chosen.rows.at(0, 4).integer() == 0);
  for (std::size_t row = 1; row < 4; ++row) {
    CHECK(chosen.rows.at(row, 2).integer() <= chosen.rows.at(row - 1, 2).integer());
    CHECK(chosen.rows.at(row, 3).integer() <= 0);
    CHECK(chosen.rows.at(row, 4).integer() > 0);
  }
  bench.run("key:0;key:Ctrl+Down");
  CHECK(bench.number("ribbons") > 0);
  bench.run("key:Esc");
  CHECK(bench.chosen() == nullptr);
  CHECK(bench.has("\"counterparts\": 0"));
}

TEST_CASE("clicking a row of the collective shows that rank's kernel", "[timeline][window][collective]") {
  CollectiveBench bench;
  if (!bench.works()) return;
  bench.select_kernel_of_late_collective();
  REQUIRE(bench.chosen() != nullptr);
  const std::vector<trace::SliceRef> slices = bench.chosen()->slices;
  const std::uint32_t id = bench.chosen()->id;
  REQUIRE(bench.selection() == slices.back());
  const double x = bench.number("table_x") + 60;
  const double y = bench.number("table_y") + 2.5 * bench.number("row_height");  // the second row
  bench.run("click:" + std::to_string(static_cast<int>(x)) + "," + std::to_string(static_cast<int>(y)));
  CHECK(bench.selection() == slices[1]);
  REQUIRE(bench.chosen() != nullptr);
  CHECK(bench.chosen()->id == id);
  const auto box = scene::box_of_slice(bench.page().state().input(), slices[1]);
  REQUIRE(box);
  CHECK((box->x0 >= 0 && box->x1 <= bench.page().state().width()));
  CHECK((box->y0 >= 0 && box->y1 <= bench.page().state().height()));
  // Clicking a slice selects it without leaving the tab.
  CHECK(bench.has("\"tab\": \"collective\""));
}

TEST_CASE("hovering and selecting show how long a communication kernel waited and for which rank",
          "[timeline][window][collective]") {
  CollectiveBench bench;
  if (!bench.works()) return;
  bench.select_kernel_of_late_collective();
  REQUIRE(bench.chosen() != nullptr);
  const ChosenCollective chosen = *bench.chosen();
  const JobRanks& ranks = *bench.page().matcher().ranks();
  HoverCard early;
  add_wait_facts(ranks, chosen.slices.back(), early);
  REQUIRE(early.facts.size() == 2);
  CHECK(early.facts[0].figure == format_duration(chosen.rows.at(3, 4).integer()) + " for rank 2");
  CHECK(early.facts[1].figure == format_duration(chosen.rows.at(3, 5).integer()));
  HoverCard last;
  add_wait_facts(ranks, chosen.slices.front(), last);
  CHECK(last.facts.at(0).figure.starts_with("none"));
  HoverCard other;
  add_wait_facts(ranks, {0, 0}, other);
  CHECK(other.facts.empty());
  bench.run("run:panel.selection");
  CHECK(bench.has("\"collective\": \"" + chosen.sentence + "\""));
}

TEST_CASE("keys step through a collective's ranks by arrival and go to the last one",
          "[timeline][window][collective]") {
  CollectiveBench bench;
  if (!bench.works()) return;
  bench.select_kernel_of_late_collective();
  REQUIRE(bench.chosen() != nullptr);
  const std::vector<trace::SliceRef> slices = bench.chosen()->slices;
  bench.run("key:{");  // no rank arrived earlier
  CHECK(bench.selection() == slices[3]);
  bench.run("key:}");
  CHECK(bench.selection() == slices[2]);
  bench.run("key:Enter");
  CHECK(bench.selection() == slices[0]);
  bench.run("key:}");
  CHECK(bench.selection() == slices[0]);
  bench.run("key:{");
  CHECK(bench.selection() == slices[1]);
}

TEST_CASE("ranks are compared with the clocks that the window shows", "[timeline][window][collective]") {
  CollectiveBench bench;
  if (!bench.works()) return;
  bench.select_kernel_of_late_collective();
  REQUIRE(bench.chosen() != nullptr);
  const std::string aligned = bench.chosen()->clocks;
  bench.session().show_recorded_clocks(true);
  bench.run("settle");
  REQUIRE(bench.chosen() != nullptr);
  CHECK(bench.page().matcher().ranks()->clocks == analysis::ClockChoice::recorded);
  CHECK(bench.chosen()->clocks.starts_with("Times are as recorded"));
  CHECK(bench.chosen()->sentence.starts_with("Rank 2 arrived "));
  bench.session().show_recorded_clocks(false);
  bench.run("settle");
  CHECK(bench.chosen()->clocks == aligned);
}

TEST_CASE("X hides and shows the ribbons; matching kernels stay outlined", "[timeline][window][collective]") {
  CollectiveBench bench;
  if (!bench.works()) return;
  bench.select_kernel_of_late_collective();
  bench.run("run:view.show-all;run:tracks.filter;type:communication;key:Enter");
  CHECK(bench.number("ribbons") + bench.number("ribbon_envelopes") > 0);
  CHECK(bench.number("counterparts") == 3);
  bench.run("key:x");
  CHECK_FALSE(bench.has("\"ribbons\""));
  CHECK(bench.number("counterparts") == 3);
  bench.run("key:x");
  CHECK(bench.has("\"ribbons\""));
}

TEST_CASE("other slices have no collective, and a job with one rank shows what is required",
          "[timeline][window][collective]") {
  CollectiveBench bench(1);
  if (!bench.works()) return;
  bench.run("run:panel.collective;key:n");
  CHECK(bench.chosen() == nullptr);
  CHECK(bench.page().matcher().ranks() == nullptr);
  CHECK_FALSE(bench.page().matcher().busy());
  CHECK_FALSE(bench.commands().enabled("collective.last"));
}

}  // namespace
}  // namespace warpscope::ui
