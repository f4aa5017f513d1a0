// The Analysis page in the application without a display: the list, parameters, and jumps from rows.
#include "app/ui/analysis/analysis_page.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <ranges>

#include "app/ui/analysis/row_target.hpp"
#include "app/ui/dashboard/panel_data.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "core/analysis/critical_path/run_forest.hpp"
#include "core/analysis/shared/row_words.hpp"
#include "core/analysis/shared/time_label.hpp"
#include "render/charts/colors.hpp"
#include "render/plots/bar_rows.hpp"
#include "render/plots/part_bars.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

class AnalysisBench {
 public:
  explicit AnalysisBench(int height = 800) {
    (void)tracegen::generate(small_job(), folder_.path());
    app_ = offscreen_app(app_options(directory_loader({}), {make_page<TimelinePage>, page_at(page_)}), 1280, height);
    if (!app_) return;
    play(*app_, "open:" + folder_.path().string() + ";settle;run:page.analysis;settle");
    REQUIRE(session().profile());
  }
  [[nodiscard]] bool works() const { return app_ != nullptr; }
  void run(const std::string& script) { play(*app_, script + ";settle"); }
  [[nodiscard]] AnalysisPage& page() { return *page_; }
  [[nodiscard]] AppContext& context() { return app_->app().context(); }
  [[nodiscard]] Session& session() { return context().session; }
  [[nodiscard]] bool has(std::string_view words) { return state_has(*app_, words); }
  [[nodiscard]] const Table& table(std::size_t index = 0) {
    REQUIRE(page().view().tables() != nullptr);
    return (*page().view().tables())[index];
  }

 private:
  TestFolder folder_;
  AnalysisPage* page_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
};

TEST_CASE("the Analysis page shows the same table as the command line", "[analysis][window]") {
  AnalysisBench bench;
  if (!bench.works()) return;
  for (const analysis::Analysis& each : analysis::analyses()) {
    INFO(each.name);
    if (each.compares) continue;
    bench.run("run:analysis.show." + std::string(each.name));
    CHECK(bench.page().view().shown().name == each.name);
    const auto expected = analysis::run_analysis(each, *bench.session().profile(),
                                                 {.ranks = {}, .range = {}, .evaluated_only = true}, {});
    REQUIRE(expected.ok());
    REQUIRE(bench.page().view().tables() != nullptr);
    REQUIRE(bench.page().view().tables()->size() == expected->size());
    for (std::size_t t = 0; t < expected->size(); ++t) {
      CHECK(bench.table(t).id == (*expected)[t].id);
      CHECK(bench.table(t).rows() == (*expected)[t].rows());
    }
  }
}

TEST_CASE("bar charts have the same order as their table", "[analysis][window]") {
  AnalysisBench bench;
  if (!bench.works()) return;
  std::size_t charts = 0;
  for (const analysis::Analysis& each : analysis::analyses()) {
    INFO(each.name);
    // cupti_counters is excluded because its bars are sums of rows.
    if (each.compares || each.name == "cupti_counters") continue;
    bench.run("run:analysis.show." + std::string(each.name));
    const plots::AnalysisDrawing& drawing = bench.page().view().drawing();
    const auto* bars = std::get_if<charts::StackedBars>(&drawing.chart);
    if (bars == nullptr || drawing.rows.empty()) continue;  // charts of few steps use another table
    ++charts;
    const std::vector<std::uint32_t>& order = bench.page().view().shown_order();
    const auto place = [&](std::uint32_t row) { return std::ranges::find(order, row) - order.begin(); };
    // Compares the first row of each bar, because parts have their own order.
    std::ptrdiff_t before = -1;
    const std::size_t parts = drawing.rows.size() / bars->rows.size();
    for (std::size_t bar = 0; bar < bars->rows.size(); ++bar) {
      std::ptrdiff_t first = std::numeric_limits<std::ptrdiff_t>::max();
      for (std::size_t p = 0; p < parts; ++p)
        if (const std::uint32_t row = drawing.rows[bar * parts + p]; row != plots::kNoRow)
          first = std::min(first, place(row));
      CHECK(first > before);
      before = first;
    }
    if (!contains(bars->title, "largest first")) continue;
    const auto sum = [](const charts::BarRow& row) {
      return std::accumulate(row.values.begin(), row.values.end(), 0.0);
    };
    for (std::size_t bar = 1; bar < bars->rows.size(); ++bar)
      CHECK((sum(bars->rows[bar - 1]) >= sum(bars->rows[bar]) || bars->rows[bar].name == "others" ||
             contains(bars->rows[bar].name, "· others")));
  }
  CHECK(charts > 5);
}

TEST_CASE("keys and the find field step through the analyses", "[analysis][window]") {
  AnalysisBench bench;
  if (!bench.works()) return;
  const auto all = analysis::analyses();
  CHECK(bench.page().view().shown().name == all[0].name);
  bench.run("key:Down");
  CHECK(bench.page().view().shown().name == all[1].name);
  bench.run("key:Up;key:Up");
  // Analyses that compare two profiles are not listed.
  CHECK(bench.page().view().shown().name ==
        std::ranges::find(all | std::views::reverse, false, &analysis::Analysis::compares)->name);
  bench.run("key:/;type:temporal");
  CHECK(bench.page().view().shown().name == "temporal_breakdown");
  bench.run("key:Esc;key:Esc");
  // Title matches rank above description matches, although where_time_goes mentions idle time and is listed first.
  bench.run("run:analysis.show.what_if;key:/;type:idle");
  CHECK(bench.page().view().shown().name == "idle_time_breakdown");
  bench.run("key:Esc;key:Esc");
  bench.run("run:analysis.show.kernel_time");
  bench.run("key:Right");
  CHECK(bench.has("\"table\": \"top-kernels\""));
  bench.run("key:Left");
  CHECK(bench.has("\"table\": \"kernel-time\""));
}

TEST_CASE("a table row's menu can show it in the Timeline and copy it", "[analysis][window]") {
  AnalysisBench bench;
  if (!bench.works()) return;
  bench.run("run:analysis.show.kernel_time");
  const ImGuiTable* table = nullptr;
  for (int i = 0; i < ImGui::GetCurrentContext()->Tables.GetMapSize(); ++i)
    if (const auto* each = ImGui::GetCurrentContext()->Tables.TryGetMapData(i);
        each != nullptr && each->LastFrameActive + 1 >= ImGui::GetFrameCount())
      table = each;
  REQUIRE(table != nullptr);
  const float row = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  const auto x = static_cast<int>(table->OuterRect.Min.x + 20);
  const auto y = static_cast<int>(table->OuterRect.Min.y + 1.5f * row + 2);
  bench.run("click:" + std::to_string(x) + "," + std::to_string(y) + ",right");
  const auto& stack = ImGui::GetCurrentContext()->OpenPopupStack;
  REQUIRE(stack.Size == 1);
  const ImVec2 menu = stack[0].Window->Pos;
  const auto item = [&](float n) {
    // "Show in the Timeline", a separator, "Copy cell", …
    return "click:" + std::to_string(static_cast<int>(menu.x + 40)) + "," +
           std::to_string(static_cast<int>(menu.y + 8 + n * (ImGui::GetFontSize() + 8)));
  };
  bench.run(item(1.9f));
  const char* copied = ImGui::GetClipboardText();
  REQUIRE(copied != nullptr);
  CHECK(std::string_view(copied) == bench.table().at(0, 0).text());
  bench.run("click:" + std::to_string(x) + "," + std::to_string(y) + ",right");
  bench.run(item(0.5f));
  CHECK(bench.has("\"page\": \"timeline\""));
}

/// Scroll position of the analysis list in px.
float list_scroll() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->Active && contains(window->Name, "##list")) return window->Scroll.y;
  return -1;
}

TEST_CASE("the list scrolls to the selected analysis", "[analysis][window]") {
  AnalysisBench bench(480);
  if (!bench.works()) return;
  CHECK(list_scroll() == 0);
  bench.run("run:analysis.show.call_graph");
  const float far = list_scroll();
  CHECK(far > 100);
  bench.run("wait:3");
  CHECK(list_scroll() == far);
  bench.run("run:analysis.show.what_if");
  CHECK(list_scroll() < 100);
}

TEST_CASE("changing a parameter recomputes the table, and resetting it restores the default", "[analysis][window]") {
  const analysis::Analysis& kernels = *analysis::find_analysis("kernel_time");
  ParameterFields fields;
  using Settings = std::vector<analysis::Setting>;
  CHECK(fields.settings(kernels) == Settings{});
  CHECK_FALSE(fields.set(kernels, "k", "3"));
  CHECK(fields.settings(kernels) == Settings{{"k", "3"}});
  CHECK(fields.set(kernels, "k", "many"));
  CHECK(fields.settings(kernels) == Settings{{"k", "3"}});
  CHECK(fields.set(kernels, "no such", "1"));
  CHECK_FALSE(fields.set(kernels, "k", "15"));  // the default value
  CHECK(fields.settings(kernels) == Settings{});
  CHECK_FALSE(fields.set(kernels, "k", "3"));
  CHECK(fields.settings(*analysis::find_analysis("kernel_launches")) == Settings{});
  fields.reset(kernels);
  CHECK(fields.settings(kernels) == Settings{});
}

TEST_CASE("following a row opens its slice, its time range, or all slices with its name", "[analysis][window]") {
  AnalysisBench bench;
  if (!bench.works()) return;
  const trace::Profile& profile = *bench.session().profile();
  bench.run("run:analysis.show.step_time");
  const auto& tables = *bench.page().view().tables();
  const auto steps = std::ranges::find(tables, "steps", &Table::id);
  REQUIRE(steps != tables.end());
  REQUIRE(steps->rows() == 4);  // two steps on two ranks
  Table host("steps", "",
             {{"rank", "", ColumnRole::rank},
              {"step", "", ColumnRole::step},
              {"begin", "", ColumnRole::start},
              {"duration", "", ColumnRole::duration}});
  const trace::Step& step = profile.ranks[1]->steps[1];
  host.add_row({profile.ranks[1]->number, Cell(profile.names().view(step.name), step.slice),
                step.time.begin - profile.span.begin, 1});
  host.add_row({profile.ranks[1]->number, "no such", step.time.begin - profile.span.begin, 1000});
  const std::string own(profile.names().view(step.name));
  host.add_row({Cell(), own, Cell(), Cell()});
  const TimelineRequest slice = trace::SliceRef{1, step.slice};
  const Interval time{step.time.begin, step.time.begin + 1000};
  const std::string name = "name=\"" + own + "\"";
  CHECK(target_of(profile, host, 0) == slice);
  const auto range = target_of(profile, host, 1);
  REQUIRE((range && std::holds_alternative<RankRequest>(*range)));
  CHECK(std::get<RankRequest>(*range).range == time);
  CHECK(target_of(profile, host, 2) == TimelineRequest(name));
  Table nothing("t", "", {{"share", "", ColumnRole::share}});
  nothing.add_row({0.5});
  CHECK_FALSE(target_of(profile, nothing, 0));

  bench.session().go_to(slice);
  bench.run("run:page.timeline");
  CHECK(bench.session().selection() == std::get<trace::SliceRef>(slice));
  CHECK_FALSE(bench.session().request());
  bench.session().go_to(time);
  bench.run("run:page.timeline");
  CHECK(bench.session().marked() == time);
  bench.session().go_to(name);
  bench.run("run:page.timeline");
  CHECK(bench.has(own));
}

TEST_CASE("following a row replaces the filter of the previous row and keeps the user's filters", "[analysis]") {
  AnalysisBench bench;
  if (!bench.works()) return;
  bench.run("run:page.timeline;key:/;type:stream:7;key:Ctrl+Enter");
  for (const char* const name : {"name=gemm_0", "name=gemm_1", "name=gemm_1"}) {
    bench.session().go_to(std::string(name));
    bench.run("run:page.analysis;run:page.timeline");
  }
  CHECK(bench.has("stream:7"));
  CHECK(bench.has("name=gemm_1"));
  CHECK_FALSE(bench.has("name=gemm_0"));
}

TEST_CASE("the columns of a table determine its chart", "[analysis]") {
  using charts::HistogramChart;
  using charts::LineChart;
  using charts::StackedBars;
  const auto chart = [](std::string_view analysis, const Table& table) {
    return plots::plot_of(analysis, {table}, 0, scene::Theme::dark);
  };
  Table breakdown("temporal-breakdown", "",
                  {{"rank", "", ColumnRole::rank},
                   {"idle", "", ColumnRole::idle},
                   {"compute", "", ColumnRole::compute},
                   {"non-compute", "", ColumnRole::non_compute}});
  breakdown.add_row({3, 10, 20, 30});
  const plots::AnalysisDrawing parts = chart("temporal_breakdown", breakdown);
  const auto& bars = std::get<StackedBars>(parts.chart);
  REQUIRE(bars.parts.size() == 3);
  CHECK(bars.parts[0].name == "compute");
  CHECK(bars.rows.at(0).name == "rank 3");
  CHECK(bars.rows.at(0).values == std::vector<double>{20, 30, 10});
  CHECK(parts.rows == std::vector<std::uint32_t>{0, 0, 0});

  // Same colors as on the Dashboard.
  Table states("gpu-active-time", "", {{"state", "", ColumnRole::state}, {"total", "", ColumnRole::total}});
  states.add_row({analysis::state_cell(analysis::WorkState::active), 60});
  states.add_row({analysis::state_cell(analysis::WorkState::idle), 40});
  const StackedBars busy = std::get<StackedBars>(chart("gpu_active_time", states).chart);
  const PanelData panel = make_panel_data({.id = "gpu_active_time"}, {states}, scene::Theme::dark);
  for (std::size_t r = 0; r < 2; ++r)
    CHECK(busy.rows.at(r).color == std::get<charts::PieChart>(panel.drawing.chart).parts.at(r).color);
  CHECK(busy.rows[0].color != busy.rows[1].color);
  Table causes("idle-time-breakdown", "",
               {{"rank", "", ColumnRole::rank}, {"cause", "", ColumnRole::wait_cause}, {"idle", "", ColumnRole::idle}});
  causes.add_row({0, Cell("short launch delays", analysis::TimeLabel::launch), 5});
  causes.add_row({0, Cell("launch latency", analysis::TimeLabel::latency), 5});
  causes.add_row({0, Cell("other", analysis::TimeLabel::unknown), 5});
  const StackedBars waits = std::get<StackedBars>(chart("idle_time_breakdown", causes).chart);
  CHECK(waits.parts.at(0).color != waits.parts.at(1).color);
  CHECK(waits.parts.at(1).color != waits.parts.at(2).color);
  // One bar per rank with its parts of the path, in the colors of the Timeline's legend; the parts are table rows.
  Table path("critical-path", "",
             {{"rank", "", ColumnRole::rank},
              {"class", "", ColumnRole::path_part},
              {"share", "", ColumnRole::share},
              {"time", "", ColumnRole::total}});
  path.add_row({0, Cell("host", analysis::TimeLabel::host), 0.75, 30});
  path.add_row({0, Cell("kernels", analysis::TimeLabel::computation), 0.25, 10});
  path.add_row({4, Cell("kernels", analysis::TimeLabel::computation), 1.0, 50});
  const plots::AnalysisDrawing bounds = chart("critical_path", path);
  const StackedBars& paths = std::get<StackedBars>(bounds.chart);
  REQUIRE(paths.parts.size() == 2);
  CHECK(paths.parts[1].name == "kernels");
  CHECK(paths.parts[1].color == scene::family_color(trace::Family::computation, scene::Theme::dark));
  REQUIRE(paths.rows.size() == 2);
  CHECK(paths.rows[0].values == std::vector<double>{30, 10});
  CHECK(paths.rows[1].name == "rank 4");
  CHECK(paths.rows[1].values == std::vector<double>{0, 50});
  CHECK(bounds.row_of(0) == 0);
  CHECK(bounds.row_of(1) == 1);
  CHECK_FALSE(bounds.row_of(2));
  CHECK(bounds.row_of(3) == 2);
  CHECK(parts.row_of(2) == 0);
  Table types("kernel-types", "", {{"kernel type", "", ColumnRole::kernel_class}, {"sum", "", ColumnRole::total}});
  for (const std::uint32_t classes : {1u, 2u, 3u}) types.add_row({Cell(std::to_string(classes), classes), 5});
  const StackedBars classes = std::get<StackedBars>(chart("gpu_kernel_breakdown", types).chart);
  CHECK(classes.parts.at(1).color == scene::family_color(trace::Family::communication, scene::Theme::dark));
  CHECK(classes.parts.at(2).color != classes.parts.at(0).color);
  Table ranks("r", "", {{"rank", "", ColumnRole::rank}, {"total", "", ColumnRole::total}});
  ranks.add_row({0, 5});
  ranks.add_row({1, 5});
  CHECK_FALSE(std::get<StackedBars>(chart("x", ranks).chart).rows.at(0).color);

  Table curve("c", "",
              {{"node", "", ColumnRole::node}, {"begin", "", ColumnRole::start}, {"share", "", ColumnRole::share}});
  curve.add_row({"a", 0, 0.5});
  curve.add_row({"a", 10, 0.7});
  CHECK(std::holds_alternative<LineChart>(chart("x", curve).chart));
  CHECK(chart("x", curve).rows.empty());
  Table memory("memory-timeline", "",
               {{"file", "", ColumnKind::text},
                {"time", "", ColumnRole::start},
                {"Parameter", "", ColumnRole::part},
                {"Gradient", "", ColumnRole::part},
                {"total", "", ColumnKind::bytes, ColumnRole::total}});
  memory.add_row({"a", 0, 5, 1, 6});
  memory.add_row({"a", 9, 5, 3, 8});
  memory.add_row({"b", 2, 7, 7, 14});
  const LineChart areas = std::get<LineChart>(chart("memory_timeline", memory).chart);
  CHECK(areas.stacked);
  REQUIRE(areas.series.size() == 2);  // of the first file only, not the sum
  CHECK(areas.series[1].name == "Gradient");
  REQUIRE(areas.series[1].points.size() == 2);
  CHECK(areas.series[1].points[1].y == 3);
  Table bins("b", "",
             {{"bin begin", "", ColumnRole::bin_start},
              {"bin end", "", ColumnRole::bin_end},
              {"count", "", ColumnRole::count}});
  bins.add_row({0, 10, 3});
  CHECK(std::holds_alternative<HistogramChart>(chart("x", bins).chart));
  Table names("n", "", {{"name", "", ColumnRole::kernel}, {"total", "", ColumnRole::total}});
  CHECK(std::holds_alternative<std::monostate>(chart("x", names).chart));
  for (int i = 0; i < 300; ++i) names.add_row({"void k<" + std::to_string(i) + ">(int)", i});
  const StackedBars kernels = std::get<StackedBars>(chart("kernel_time", names).chart);
  CHECK(kernels.rows.size() == plots::kMostBars);
  CHECK(kernels.rows[7].values == std::vector<double>{292});
}

}  // namespace
}  // namespace warpscope::ui
