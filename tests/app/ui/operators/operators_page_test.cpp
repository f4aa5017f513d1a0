// The Operators page in the application without a display: tabs, filter, the calls of a row, flame graphs.
#include "app/ui/analysis/tabs_page.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/small_job.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

class OperatorsBench {
 public:
  explicit OperatorsBench(int width = 1280) {
    (void)tracegen::generate(small_job(), folder_.path());
    app_ = offscreen_app(
        app_options(directory_loader({}), {page_at(timeline_), [this](AppContext& context) { return make(context); }}),
        width, 800);
    if (!app_) return;
    play(*app_, "open:" + folder_.path().string() + ";settle;run:page.operators;settle");
    REQUIRE(session().profile());
  }
  [[nodiscard]] bool works() const { return app_ != nullptr; }
  void run(const std::string& script) { play(*app_, script + ";settle"); }
  [[nodiscard]] AnalysisView& view() { return page_->view(); }
  [[nodiscard]] TabsPage& page() { return *page_; }
  [[nodiscard]] AppContext& context() { return app_->app().context(); }
  [[nodiscard]] Session& session() { return context().session; }
  [[nodiscard]] bool has(std::string_view words) { return state_has(*app_, words); }
  [[nodiscard]] const Table& table() {
    REQUIRE(view().table() != nullptr);
    return *view().table();
  }

 private:
  std::unique_ptr<Page> make(AppContext& context) {
    auto page = registered::operators::kPage.make(context);
    page_ = dynamic_cast<TabsPage*>(page.get());
    REQUIRE(page_ != nullptr);
    return page;
  }

  TestFolder folder_;
  TimelinePage* timeline_ = nullptr;
  TabsPage* page_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
};

TEST_CASE("each tab of the Operators page shows a table or a note", "[operators][window]") {
  OperatorsBench bench;
  if (!bench.works()) return;
  std::size_t tabs = 0;
  for (const Command& command : bench.context().commands.all()) {
    if (!command.id.starts_with("operators.tab.")) continue;
    INFO(command.id);
    bench.run("run:" + command.id);
    ++tabs;
    CHECK((bench.table().rows() > 0 || !bench.table().note.empty()));
    CHECK(bench.has("\"tab\": \"" + command.id.substr(std::string_view("operators.tab.").size()) + "\""));
  }
  CHECK(tabs >= 9);
  bench.run("run:operators.tab.operators;key:Ctrl+Right");
  CHECK(bench.has("\"tab\": \"kernels\""));
  bench.run("key:Ctrl+Left");
  CHECK(bench.has("\"tab\": \"operators\""));
}

TEST_CASE("the selected row's calls are counted next to the table", "[operators][window]") {
  OperatorsBench bench;
  if (!bench.works()) return;
  bench.run("run:operators.tab.kernels");
  CHECK(bench.page().calls().calls() == nullptr);
  bench.run("key:Down;key:Down");
  REQUIRE(bench.view().chosen());
  CHECK(*bench.view().chosen() == bench.view().shown_order()[1]);
  REQUIRE(bench.page().calls().calls() != nullptr);
  const auto count = *bench.table().find_role(ColumnRole::count);
  CHECK(static_cast<std::int64_t>(bench.page().calls().calls()->slices.size()) ==
        bench.table().at(*bench.view().chosen(), count).integer());
  bench.run("key:Escape");
  CHECK_FALSE(bench.view().chosen());
  CHECK(bench.page().calls().calls() == nullptr);
}

TEST_CASE("all calls of a row are highlighted in the Timeline, and keys step through them", "[operators][window]") {
  OperatorsBench bench;
  if (!bench.works()) return;
  bench.run("run:operators.tab.kernels");
  bench.run("key:Down");
  REQUIRE(bench.page().calls().calls() != nullptr);
  const std::vector<trace::SliceRef> slices = bench.page().calls().calls()->slices;
  REQUIRE(slices.size() > 1);
  bench.run("key:.");
  REQUIRE(bench.session().selection());
  CHECK(*bench.session().selection() == slices[1]);
  bench.run("key:,");
  CHECK(*bench.session().selection() == slices[0]);
  bench.run("key:T");
  CHECK(bench.has("\"page\": \"timeline\""));
  REQUIRE(bench.session().picked());
  CHECK(bench.session().picked()->slices == slices);
  CHECK(*bench.session().selection() == slices[0]);
  bench.run("run:page.operators");
  CHECK(bench.view().chosen());  // the selection is preserved
}

TEST_CASE("the find field filters the rows", "[operators][window]") {
  OperatorsBench bench;
  if (!bench.works()) return;
  bench.run("run:operators.tab.operators");
  const std::size_t all = bench.view().shown_order().size();
  CHECK(all == bench.table().rows());  // all rows, even if there are more than the command line's 100
  bench.run("run:find.focus;wait:2;type:aten::mm");
  REQUIRE_FALSE(bench.view().shown_order().empty());
  CHECK(bench.view().shown_order().size() < all);
  for (const std::uint32_t row : bench.view().shown_order())
    CHECK(bench.table().at(row, 0).text().find("aten::mm") != std::string_view::npos);
  const auto* bars = std::get_if<charts::StackedBars>(&bench.view().drawing().chart);
  REQUIRE(bars != nullptr);
  CHECK(bars->rows.size() == bench.view().shown_order().size());
  CHECK(bars->left_out == 0);
  bench.view().filter("");
  bench.run("wait:1");
  CHECK(bench.view().shown_order().size() == all);
}

TEST_CASE("bars show the column by which the table is sorted", "[operators][window]") {
  OperatorsBench bench;
  if (!bench.works()) return;
  bench.run("run:operators.tab.operators");
  bench.run("key:S;key:S;key:S");
  REQUIRE(bench.view().drawing().rows.size() > 2);
  const auto* bars = std::get_if<charts::StackedBars>(&bench.view().drawing().chart);
  REQUIRE(bars != nullptr);
  const auto calls = *bench.table().find_role(ColumnRole::count);
  for (std::size_t bar = 0; bar < bars->rows.size(); ++bar)
    CHECK(bars->rows[bar].values[0] == bench.table().at(bench.view().shown_order()[bar], calls).number());
}

TEST_CASE("selecting a row does not keep a narrow window busy", "[operators][window]") {
  OperatorsBench bench(700);
  if (!bench.works()) return;
  bench.run("run:operators.tab.kernels");
  bench.run("key:Down;wait:2");
  CHECK_FALSE(bench.page().busy());
  CHECK(bench.page().calls().calls() != nullptr);
}

TEST_CASE("a flame graph zooms to the selected row and back", "[operators][window]") {
  OperatorsBench bench;
  if (!bench.works()) return;
  bench.run("run:operators.tab.flame-graph");
  const auto icicle = [&] { return std::get_if<charts::Icicle>(&bench.view().drawing().chart); };
  REQUIRE(icicle() != nullptr);
  CHECK_FALSE(icicle()->root);
  bench.run("key:Down;key:Down;key:Z");
  REQUIRE(icicle()->root);
  CHECK(*icicle()->root == *bench.view().chosen());
  bench.run("key:Z");
  CHECK_FALSE(icicle()->root);
  bench.run("key:Z;key:Escape");
  CHECK_FALSE(icicle()->root);
  CHECK(bench.view().chosen());
  bench.view().filter("cudaLaunchKernel");
  bench.run("wait:1");
  CHECK(std::ranges::count(icicle()->nodes, false, &charts::IcicleNode::dim) > 0);
  CHECK(std::ranges::count(icicle()->nodes, true, &charts::IcicleNode::dim) > 0);
}

TEST_CASE("tree rows can be expanded and collapsed by key", "[operators][window]") {
  OperatorsBench bench;
  if (!bench.works()) return;
  bench.run("run:operators.tab.flame-graph");
  bench.run("key:Shift+E");
  const std::size_t all = bench.view().shown_order().size();
  CHECK(all == bench.table().rows());
  bench.run("key:Shift+C");
  CHECK(bench.view().shown_order().size() < all);
  const std::size_t tops = bench.view().shown_order().size();
  bench.run("key:Down;key:E");
  CHECK(bench.view().shown_order().size() > tops);
  bench.run("key:E");
  CHECK(bench.view().shown_order().size() == tops);
}

TEST_CASE("a key cycles through the groupings of operators", "[operators][window]") {
  OperatorsBench bench;
  if (!bench.works()) return;
  bench.run("run:operators.tab.operators");
  const std::size_t columns = bench.table().columns().size();
  bench.run("key:G");
  CHECK(bench.table().columns().size() == columns + 1);
  CHECK(bench.has("\"group\": \"shape\""));
}

TEST_CASE("the Ranks page shows the late rank, and a heat map cell links to its step", "[ranks][window]") {
  const TestFolder folder;
  tracegen::Options job = small_job(4);
  job.steps = 4;
  job.stragglers = {{2, 150}};
  (void)tracegen::generate(job, folder.path());
  TimelinePage* timeline = nullptr;
  TabsPage* ranks = nullptr;
  const auto make = [&](AppContext& context) {
    auto page = registered::ranks::kPage.make(context);
    ranks = dynamic_cast<TabsPage*>(page.get());
    return page;
  };
  const auto app = offscreen_app(app_options(directory_loader({}), {page_at(timeline), make}), 1280, 800);
  if (!app) return;
  play(*app, "open:" + folder.path().string() + ";settle;run:page.ranks;settle");
  REQUIRE(ranks != nullptr);
  REQUIRE(ranks->view().table() != nullptr);
  CHECK(ranks->view().table()->note.starts_with("Rank 2"));
  play(*app, "run:ranks.tab.late-by-step;settle");
  const auto* map = std::get_if<charts::HeatMap>(&ranks->view().drawing().chart);
  REQUIRE(map != nullptr);
  CHECK(map->rows.size() == 4);
  // The brightest cell belongs to the late rank.
  const auto most = std::ranges::max_element(map->values) - map->values.begin();
  CHECK(static_cast<std::size_t>(most) / map->columns == 2);
  play(*app, "key:Down;key:F;settle");
  CHECK(state_has(*app, "\"page\": \"timeline\""));
}

}  // namespace
}  // namespace warpscope::ui
