#include "app/ui/dashboard/dashboard_page.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "render/gl/image.hpp"
#include "render/plots/table_chart.hpp"
#include "tests/app/ui/conflicts.hpp"
#include "tests/app/ui/dashboard_bench.hpp"
#include "tests/find_column.hpp"
#include "tests/test_folder.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

std::uint32_t row_of(const DashboardPanel& panel, std::string_view name) {
  const Table* table = panel.table();
  REQUIRE(table != nullptr);
  for (std::uint32_t item = 0; item < panel.data().drawing.rows.size(); ++item)
    if (plots::row_name(*table, panel.data().drawing.rows[item]) == name) return item;
  FAIL("no row " << name);
  return 0;
}

std::int64_t count_in(const DashboardPanel& panel, std::string_view name) {
  const Table& table = *panel.table();
  return table.at(panel.data().drawing.rows[row_of(panel, name)], *find_column(table, "count")).integer();
}

TEST_CASE("the dashboard opens after a load and shows the tables of its analyses", "[dashboard][window]") {
  DashboardBench bench;
  if (!bench.works()) return;
  CHECK(bench.shown() == "dashboard");
  const DashboardPanel& kernels = bench.panel("kernel_time");
  REQUIRE(kernels.tables() != nullptr);
  CHECK(kernels.items() == 5);  // four GEMMs and the collective
  CHECK(count_in(kernels, "ncclAllReduce") == 6);
  const auto expected =
      analysis::run_analysis(*analysis::find_analysis("kernel_time"), *bench.session().profile(), {}, {});
  REQUIRE(expected.ok());
  CHECK(kernels.table()->at(0, 1) == expected->front().at(0, 1));
  CHECK_FALSE(bench.panel("step_time").data().empty());
  CHECK(tests::conflicts_in(bench.context().commands).empty());
  bench.play("key:Alt+3");
  CHECK(bench.shown() == "timeline");
  bench.play("key:Alt+2");
  CHECK(bench.shown() == "dashboard");
}

TEST_CASE("the dashboard starts with the account of the Findings page, unless it is restricted",
          "[dashboard][window]") {
  DashboardBench bench({}, "job", 1600, 1000, true);
  if (!bench.works()) return;
  const rules::Evaluation* const evaluation = bench.context().findings->evaluation();
  REQUIRE(evaluation != nullptr);
  REQUIRE_FALSE(evaluation->account.empty());
  const std::string first =
      rules::issues_in(*evaluation) > 0 ? evaluation->findings.front().finding.headline : rules::summary(*evaluation);
  const auto starts_with_it = [&] { return bench.dump().find("\"headline\": \"" + first) != std::string::npos; };
  CHECK(starts_with_it());
  const float below = bench.panel("where_time_goes").chart().at().y;
  bench.session().set_marked(Interval{0, kStepEvery});
  bench.play("run:dashboard.marked-range;wait:3");
  REQUIRE(bench.page().scope().restricted());
  CHECK_FALSE(starts_with_it());
  CHECK(bench.panel("where_time_goes").chart().at().y < below);
}

TEST_CASE("the first row shows time by rank, step times and utilization by class", "[dashboard][window]") {
  DashboardBench bench;
  if (!bench.works()) return;
  const std::vector<std::size_t> shown = bench.page().shown();
  const std::vector<std::string> first{"where_time_goes", "step_time", "utilization_by_class"};
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(bench.page().panels()[shown[i]].id == first[i]);
  const auto* bars = std::get_if<charts::StackedBars>(&bench.panel("where_time_goes").data().drawing.chart);
  REQUIRE(bars != nullptr);
  REQUIRE(bars->rows.size() == 2);
  const Table& table = *bench.panel("where_time_goes").table();
  for (std::size_t row = 0; row < bars->rows.size(); ++row) {
    double sum = 0;
    for (const double value : bars->rows[row].values) sum += value;
    CHECK(sum == table.at(row, *find_column(table, "time")).number());  // all of the time is included
  }
  CHECK(bench.panel("where_time_goes").analysis_of(0) == "gpu_kernel_breakdown");
  const auto* areas = std::get_if<charts::LineChart>(&bench.panel("utilization_by_class").data().drawing.chart);
  REQUIRE(areas != nullptr);
  CHECK(areas->stacked);
  CHECK(areas->series.front().color == scene::family_color(trace::Family::computation, scene::Theme::dark));
}

TEST_CASE("chart parts have a context menu", "[dashboard][window]") {
  DashboardBench bench;
  if (!bench.works()) return;
  const DashboardPanel& kernels = bench.panel("kernel_time_top");
  const std::uint32_t item = row_of(kernels, "gemm_2");
  bench.play("click:" + bench.place(kernels, item) + ",right");
  const auto& stack = ImGui::GetCurrentContext()->OpenPopupStack;
  REQUIRE(stack.Size == 1);
  const ImGuiWindow& menu = *stack[0].Window;
  // The part's name, a separator, then "List its slices".
  const float row = ImGui::GetFontSize() + bench.context().px(8);
  bench.play("click:" + std::to_string(static_cast<int>(menu.Pos.x + 30)) + "," +
             std::to_string(static_cast<int>(menu.Pos.y + menu.WindowPadding.y + 1.5f * row + 6)));
  REQUIRE(bench.session().picked() != nullptr);
  CHECK(static_cast<std::int64_t>(bench.session().picked()->slices.size()) == count_in(kernels, "gemm_2"));
}

TEST_CASE("panels without data are listed below the others", "[dashboard][window]") {
  RankSpec host;
  host.tracks.push_back({trace::TrackKind::thread, "thread 1", {LaneSpec{{{0, kMs, "work"}}}}});
  auto dictionary = std::make_shared<trace::Dictionary>();
  const auto rank = make_rank(host, 0, *dictionary);
  for (trace::Track& track : rank->tracks) track.device = -1;
  trace::MetricColumn column{{0, 500 * kMs}, {}};
  column.series.push_back({"memory", "MemoryUsedPercent", "", {25, 50}});
  column.series.push_back({"i/o", "ReadThroughputInBytesPerSecond", "", {1000, 3000}});
  column.series.push_back({"i/o", "IOPS", "", {1, 2}});
  trace::NodeMetrics::Origin origin;
  origin.node = "algo-1";
  const auto metrics = std::make_shared<const trace::NodeMetrics>(origin, std::vector{column});
  Stage stage{.profile = trace::assemble_profile("host", dictionary, {rank}, {}, true, {metrics})};
  DashboardBench bench(staged(stage));
  if (!bench.works()) return;
  std::vector<std::string> shown;
  for (const std::size_t index : bench.page().shown()) shown.push_back(bench.page().panels()[index].id);
  CHECK(shown == std::vector<std::string>{"host_memory", "disk"});
  for (const char* id : {"host_memory", "disk"}) {
    const auto* lines = std::get_if<charts::LineChart>(&bench.panel(id).data().drawing.chart);
    REQUIRE(lines != nullptr);
    CHECK(lines->y_unit == (id == shown[0] ? charts::Unit::share : charts::Unit::byte_rate));
  }
  const std::vector<std::string> lines = absent_lines(absent_data(*stage.profile));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].starts_with("Not in this recording: Where the GPU time goes, GPU utilization by class, "));
  CHECK(lines[1].starts_with("Not in this recording: Step time distribution. This profile has no steps."));
  CHECK(lines[3].starts_with("Not in this recording: Network over time. "));

  bench.play("key:Right;key:Right;key:E");  // past the panels without data
  CHECK(bench.dump().find("\"enlarged\": \"disk\"") != std::string::npos);
}

TEST_CASE("a profile with only GPU samples shows the panels for GPU samples", "[dashboard]") {
  trace::MetricColumn column{{0, 500 * kMs}, {}};
  column.series.push_back({"gpu", "gpu0", "GPUUtilization", {25, 50}});
  const auto metrics = std::make_shared<const trace::NodeMetrics>(trace::NodeMetrics::Origin{}, std::vector{column});
  const auto profile =
      trace::assemble_profile("job", std::make_shared<const trace::Dictionary>(), {}, {}, true, {metrics});
  const AbsentData absent = absent_data(*profile);
  for (const PanelSpec& spec : panel_specs())
    CHECK(is_absent(spec, absent) != (spec.id == "gpu_utilization" || spec.id == "gpu_active_time"));
}

TEST_CASE("clicking a part lists its slices, and the Timeline highlights and shows them", "[dashboard][window]") {
  DashboardBench bench;
  if (!bench.works()) return;
  const DashboardPanel& kernels = bench.panel("kernel_time");
  bench.play("click:" + bench.place(kernels, row_of(kernels, "gemm_2")));
  REQUIRE(bench.session().picked() != nullptr);
  const std::vector<trace::SliceRef> slices = bench.session().picked()->slices;
  CHECK(slices.size() == 6);
  for (const trace::SliceRef slice : slices) CHECK(bench.session().profile()->name(slice) == "gemm_2");
  CHECK(bench.session().selection() == slices[0]);
  CHECK(bench.shown() == "dashboard");
  bench.play("key:N");
  CHECK(bench.session().selection() == slices[1]);
  bench.play("key:P;key:P");
  CHECK(bench.session().selection() == slices.back());

  bench.play("key:F");
  CHECK(bench.shown() == "timeline");
  REQUIRE(bench.timeline().state().highlight() != nullptr);
  CHECK(bench.timeline().state().view().visible().contains(bench.session().profile()->begin(slices.back())));
  CHECK(bench.dump().find("\"gemm_2\"") != std::string::npos);
  bench.play("key:F3");  // steps through the slices in time order
  REQUIRE(bench.session().selection().has_value());
  CHECK(bench.session().profile()->name(*bench.session().selection()) == "gemm_2");

  bench.play("key:Alt+2;key:Esc");  // closes the list
  CHECK(bench.session().picked() == nullptr);
  bench.play("key:Alt+3");
  CHECK(bench.timeline().state().highlight() == nullptr);
}

TEST_CASE("double-clicking a part opens it even if its list moves the page", "[dashboard][window]") {
  DashboardBench bench;
  if (!bench.works()) return;
  const DashboardPanel& kernels = bench.panel("kernel_time_top");
  const std::string before = bench.place(kernels, row_of(kernels, "gemm_2"));
  bench.play("double:" + before);
  CHECK(bench.shown() == "timeline");
  REQUIRE(bench.session().selection().has_value());
  CHECK(bench.session().profile()->name(*bench.session().selection()) == "gemm_2");
  // The list opened by the first click moved the panel, so the second click was elsewhere on it.
  bench.play("run:page.dashboard;wait:3");
  CHECK(bench.place(kernels, row_of(kernels, "gemm_2")) != before);
}

TEST_CASE("everything on the dashboard that can be clicked has a key", "[dashboard][window]") {
  DashboardBench bench;
  if (!bench.works()) return;
  for (int i = 0; i < 5; ++i) bench.play("key:Right");  // gpu active, gpu util., cpu active, cpu util., kernel time
  bench.play("type:]];key:Enter");
  REQUIRE(bench.session().picked() != nullptr);
  CHECK(bench.session().picked()->label == bench.panel("kernel_time").item_name({.id = "kernel_time"}, 1));
  CHECK(bench.panel("kernel_time").items() == 5);
  bench.play("key:Esc;key:E");
  CHECK(bench.dump().find("\"enlarged\": \"kernel_time\"") != std::string::npos);
  bench.play("key:Esc");
  CHECK(bench.dump().find("\"enlarged\": \"\"") != std::string::npos);
}

TEST_CASE("the dashboard can be restricted to a time range", "[dashboard][window]") {
  DashboardBench bench;
  if (!bench.works()) return;
  bench.session().set_marked(Interval{0, kStepEvery});
  bench.play("run:dashboard.marked-range");
  CHECK(count_in(bench.panel("kernel_time"), "gemm_0") == 2);  // in the first step, on two ranks
  CHECK(bench.dump().find("\"scope\": \"\"") == std::string::npos);
  bench.play("key:Shift+R");
  CHECK(count_in(bench.panel("kernel_time"), "gemm_0") == 6);
}

TEST_CASE("clicking anywhere in a panel focuses it", "[dashboard][window]") {
  DashboardBench bench;
  if (!bench.works()) return;
  const charts::Box box = bench.panel("kernel_time").chart().drawing().plot;
  const ImVec2 chart = bench.panel("kernel_time").chart().at();
  bench.play("click:" + std::to_string(static_cast<int>(chart.x + box.x0) + 2) + "," +
             std::to_string(static_cast<int>(chart.y) - 36));  // its title
  bench.play("key:E");
  CHECK(bench.dump().find("\"enlarged\": \"kernel_time\"") != std::string::npos);
}

TEST_CASE("an annotation histogram can be added, used and removed", "[dashboard][window]") {
  const TestFolder folder;
  tracegen::Options options = *tracegen::preset("small");
  (void)tracegen::generate(options, folder.path());
  DashboardBench bench(directory_loader(ingest::LoadOptions{}), folder.path().string());
  if (!bench.works()) return;
  bench.play("key:B;wait:3;type:optimizer;key:Enter");
  const std::size_t index = bench.page().panels().size() - 1;
  REQUIRE(bench.page().panels()[index].annotation == "optimizer");
  bench.play("key:E");
  const DashboardPanel* made = bench.page().panel(index);
  REQUIRE(made != nullptr);
  REQUIRE_FALSE(made->data().empty());
  const auto& chart = std::get<charts::HistogramChart>(made->data().drawing.chart);
  std::uint32_t longest = 0;
  for (std::uint32_t i = 0; i < chart.bins.size(); ++i)
    if (chart.bins[i].count > 0) longest = i;
  bench.play("click:" + bench.place(*made, longest));
  REQUIRE(bench.session().selection().has_value());
  CHECK(static_cast<double>(bench.session().picked()->slices.size()) == chart.bins[longest].count);
  const Ns duration = bench.session().profile()->duration(*bench.session().selection());
  CHECK(static_cast<double>(duration) >= chart.bins[longest].begin);
  CHECK(static_cast<double>(duration) < chart.bins[longest].end);
  bench.play("key:Esc;key:Delete");
  CHECK(bench.page().panels().size() == index);
}

TEST_CASE("an open popup has keyboard focus, and Esc closes it", "[dashboard][window]") {
  const warpscope::tests::TestFolder folder;
  (void)tracegen::generate(*tracegen::preset("small"), folder.path());
  DashboardBench bench(directory_loader(ingest::LoadOptions{}), folder.path().string());
  if (!bench.works()) return;
  bench.play("key:Right;key:3;wait:2;type:1;key:E;key:Enter;wait:5");
  CHECK(bench.dump().find("\"enlarged\": \"\"") != std::string::npos);
  CHECK(bench.page().scope().scope().ranks.empty());  // "1e" is not a rank
  bench.play("key:Esc;key:Esc;key:Esc;wait:2;key:3;wait:2;type:1;key:Enter;wait:5");
  CHECK(bench.page().scope().scope().ranks == std::vector<std::uint32_t>{1});
  bench.play("key:Esc;wait:2;key:E;wait:2");
  CHECK(bench.dump().find("\"enlarged\": \"where_time_goes\"") != std::string::npos);
  CHECK(bench.page().scope().restricted());  // Esc closed only the popup
}

TEST_CASE("steps can be typed like ranks, or selected from the list with arrow keys", "[dashboard][window]") {
  const warpscope::tests::TestFolder folder;
  (void)tracegen::generate(*tracegen::preset("small"), folder.path());
  DashboardBench bench(directory_loader(ingest::LoadOptions{}), folder.path().string());
  if (!bench.works()) return;
  const trace::Profile& profile = *bench.session().profile();
  REQUIRE(profile.steps.size() > 2);
  const auto range_of = [&](std::uint32_t first, std::uint32_t last) {
    return analysis::range_of_steps(profile, {}, first, last);
  };
  const auto range = [&] { return bench.page().scope().scope().range; };
  bench.play("key:2;wait:2;type:" + analysis::step_range_text(profile, {1, 2}) + ";key:Enter;wait:3");
  CHECK(range() == range_of(1, 2));
  bench.play("key:Esc;wait:2;key:2;wait:2;type:99999;key:Enter;wait:3");
  CHECK(range() == range_of(1, 2));  // no such step exists
  bench.play("key:Esc;wait:2;key:2;wait:2;key:Ctrl+A;key:Delete;key:Enter;wait:3");
  CHECK_FALSE(range());  // an empty field means all

  bench.play("key:Esc;wait:2;key:2;wait:2;key:Down*2;key:Enter;wait:3");
  CHECK(range() == range_of(1, 1));
  bench.play("key:Down;press:Shift;key:Enter;release:Shift;wait:3");
  CHECK(range() == range_of(1, 2));
  bench.play("key:Esc;wait:2");
  CHECK(bench.page().scope().restricted());
}

TEST_CASE("ranks are selected with arrow keys and Enter; an empty field means all", "[dashboard][window]") {
  const warpscope::tests::TestFolder folder;
  tracegen::Options options = *tracegen::preset("small");
  (void)tracegen::generate(options, folder.path());
  DashboardBench bench(directory_loader(ingest::LoadOptions{}), folder.path().string());
  if (!bench.works()) return;
  const trace::Profile& profile = *bench.session().profile();
  const auto ranks = [&] { return bench.page().scope().scope().ranks; };
  using Ranks = std::vector<std::uint32_t>;
  bench.play("key:3;wait:2;key:Down*2;key:Enter;wait:3");  // all are on; this turns the second one off
  CHECK(ranks().size() == profile.ranks.size() - 1);
  CHECK(std::ranges::count(ranks(), 1u) == 0);
  bench.play("key:Enter;wait:3");
  CHECK(ranks().empty());
  bench.play("key:Esc;wait:2;key:3;wait:2;type:1;key:Enter;wait:3");
  CHECK(ranks() == Ranks{1});
  bench.play("key:Esc;wait:2;key:3;wait:2;key:Ctrl+A;key:Delete;key:Enter;wait:3");
  CHECK(ranks().empty());
}

TEST_CASE("keys add a histogram from the list", "[dashboard][window]") {
  const warpscope::tests::TestFolder folder;
  (void)tracegen::generate(*tracegen::preset("small"), folder.path());
  DashboardBench bench(directory_loader(ingest::LoadOptions{}), folder.path().string());
  if (!bench.works()) return;
  const auto last = [&] { return bench.page().panels().back(); };
  const std::size_t panels = bench.page().panels().size();
  bench.play("key:B;wait:3;key:Down*2;key:Up;key:Enter;wait:3");
  REQUIRE(bench.page().panels().size() == panels + 1);
  CHECK(last().annotation == "Backward");  // first entry in the list
  bench.play("key:B;wait:3;key:Down*2;key:Up;key:Enter;wait:3");
  CHECK(bench.page().panels().size() == panels + 1);  // it exists already
}

TEST_CASE("the grid follows the width of the window", "[dashboard][window]") {
  DashboardBench wide;
  if (!wide.works()) return;
  CHECK(wide.dump().find("\"columns\": 3") != std::string::npos);
  DashboardBench narrow({}, "job", 700, 600);
  CHECK(narrow.dump().find("\"columns\": 1") != std::string::npos);
}

}  // namespace
}  // namespace warpscope::ui
