// Charts show exactly the values of the analysis tables.
#include "app/ui/dashboard/panel_data.hpp"

#include <cmath>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/analysis/shared/precision.hpp"
#include "core/base/format.hpp"
#include "render/charts/colors.hpp"
#include "render/plots/table_chart.hpp"
#include "tests/app/ui/timeline_fixture.hpp"
#include "tests/catch.hpp"

namespace warpscope::ui {
namespace {

PanelState panel(std::string id) { return {.id = std::move(id)}; }

/// An analysis's tables without rows; the test adds its own values.
std::vector<Table> blank_tables(std::string_view name) {
  auto tables = analysis::run_analysis(*analysis::find_analysis(name), *test::job_profile(1), {}, {});
  REQUIRE(tables.ok());
  for (Table& table : *tables) {
    table.reorder({});
    table.note.clear();
  }
  return std::move(*tables);
}

std::vector<Table> kernel_tables() {
  std::vector<Table> tables = blank_tables("kernel_time");
  Table& all = tables[0];
  all.add_row({"void gemm<float, 4>(int)", 6'000'000, 0.6, 12});
  all.add_row({"ncclAllReduce", 3'000'000, 0.3, 3});
  all.add_row({"others", 1'000'000, 0.1, 100, 7});
  all.note = "\"others\" are 7 further kernels.";
  tables[1].add_row({"void gemm<float, 4>(int)", 6'000'000, 0.67, 12});
  tables[1].add_row({"ncclAllReduce", 3'000'000, 0.33, 3});
  tables[2].add_row({"void gemm<float, 4>(int)", 6'000'000, 0.3, 12});
  tables[2].add_row({"ncclAllReduce", 3'000'000, 0.15, 3});
  tables[2].add_row({"others", 1'000'000, 0.05, 100});
  return tables;
}

TEST_CASE("panel captions fit in the narrowest panel", "[dashboard]") {
  constexpr std::size_t kFits = 48;  // caption characters that fit in 336 px
  for (const PanelSpec& spec : panel_specs()) {
    INFO(spec.id);
    CHECK_FALSE(spec.about.empty());
    CHECK(spec.about.size() <= kFits);
  }
  CHECK_FALSE(made_histogram_spec().about.empty());
}

TEST_CASE("a pie has the table's values, names and colors", "[dashboard]") {
  const PanelData data = make_panel_data(panel("kernel_time"), kernel_tables(), scene::Theme::dark);
  const auto* pie = std::get_if<charts::PieChart>(&data.drawing.chart);
  REQUIRE(pie != nullptr);
  REQUIRE(pie->parts.size() == 3);
  CHECK(pie->parts[0].value == 6'000'000);
  CHECK(pie->parts[0].label == "gemm");
  CHECK(pie->parts[0].figures == std::vector<std::string>{"6.00 ms", "30.0 %", "60.0 %"});
  CHECK(pie->parts[0].color == charts::run_color(trace::Role::kernel, "void gemm<float, 4>(int)", scene::Theme::dark));
  CHECK(pie->parts[2].color == charts::rest_color(scene::Theme::dark));
  CHECK(pie->parts[2].label == "others (7 kernels)");
  CHECK(pie->parts[2].rest);
  CHECK_FALSE(pie->parts[0].rest);
  CHECK(pie->headings.size() == 3);
  CHECK(pie->total == "10.0 ms");
  CHECK(data.drawing.rows == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(data.note == "\"others\" are 7 further kernels.");
}

TEST_CASE("the top kernels are shown as bars of their own table", "[dashboard]") {
  const PanelData data = make_panel_data(panel("kernel_time_top"), kernel_tables(), scene::Theme::light);
  const auto* bars = std::get_if<charts::StackedBars>(&data.drawing.chart);
  REQUIRE(bars != nullptr);
  REQUIRE(bars->rows.size() == 2);
  CHECK(data.drawing.table == 1);
  CHECK(bars->rows[1].values == std::vector<double>{3'000'000});
  CHECK(bars->rows[1].figure == "3.00 ms");
  CHECK(bars->rows[1].color == charts::run_color(trace::Role::kernel, "ncclAllReduce", scene::Theme::light));
}

TEST_CASE("precisions show their share of computation and of kernel time", "[dashboard]") {
  Table table("kernel-precision", "",
              {{"precision", "", ColumnRole::precision},
               {"total", "", ColumnRole::total},
               {"count", "", ColumnRole::count},
               {"share", "", ColumnRole::share}});
  table.add_row({Cell("FP16", analysis::Precision::fp16), 3'000'000, 3, 0.75});
  table.add_row({Cell("FP32", analysis::Precision::fp32), 1'000'000, 1, 0.25});
  constexpr std::uint32_t kClass =
      analysis::kPrecisions + static_cast<std::uint32_t>(analysis::KernelClass::communication);
  table.add_row({Cell("communication", kClass), 6'000'000, 2, Cell()});
  const PanelData data = make_panel_data(panel("kernel_precision"), {table}, scene::Theme::dark);
  const auto& pie = std::get<charts::PieChart>(data.drawing.chart);
  CHECK(pie.parts[0].figures == std::vector<std::string>{"3.00 ms", "75.0 %", "30.0 %"});
  CHECK(pie.parts[2].figures == std::vector<std::string>{"6.00 ms", std::string(kNoFigure), "60.0 %"});
  CHECK(pie.parts[2].color == scene::family_color(scene::Family::communication, scene::Theme::dark));
  CHECK(pie.headings[1] == "of computation");
}

TEST_CASE("panels pass the kernel class rules to the analyses that accept them", "[dashboard]") {
  const std::string rules = "communication=my_ring";
  CHECK(request_of(panel("kernel_precision"), {}, rules).settings ==
        std::vector<analysis::Setting>{{"kernel_class", rules}});
  CHECK(request_of(panel("kernel_precision"), {}).settings.empty());
  CHECK(request_of(panel("kernel_time"), {}, rules).settings.empty());
}

TEST_CASE("a memory operation keeps its color regardless of other operations", "[dashboard]") {
  using enum analysis::MemoryOperation;
  const auto color_of = [](const std::vector<analysis::MemoryOperation>& operations, analysis::MemoryOperation wanted) {
    Table table("memory-operations", "",
                {{"operation", "", ColumnRole::memory_operation}, {"total", "", ColumnRole::total}});
    for (const auto operation : operations) table.add_row({Cell(to_string(operation), operation), 10});
    const PanelData data = make_panel_data(panel("memory_operations"), {table}, scene::Theme::dark);
    const auto& parts = std::get<charts::PieChart>(data.drawing.chart).parts;
    return std::ranges::find(parts, to_string(wanted), &charts::PiePart::label)->color;
  };
  const std::vector copies{host_to_device, device_to_device};
  CHECK(color_of(copies, device_to_device) == color_of({device_to_device, set, host_to_device}, device_to_device));
  CHECK(color_of(copies, device_to_device) != color_of(copies, host_to_device));
  CHECK(color_of({host_to_device, set}, set) != charts::rest_color(scene::Theme::dark));
}

TEST_CASE("a pie of samples is labeled as such", "[dashboard]") {
  Table table(
      "gpu-active-time", "",
      {{"state", "", ColumnRole::state}, {"samples", "", ColumnRole::samples}, {"share", "", ColumnRole::share}});
  table.add_row({"active", 30, 0.75});
  table.add_row({"idle", 10, 0.25});
  const auto total_of = [](std::string_view id, const Table& shown) {
    return std::get<charts::PieChart>(
               make_panel_data(panel(std::string(id)), {shown}, scene::Theme::dark).drawing.chart)
        .total_of;
  };
  CHECK(total_of("gpu_active_time", table) == "samples");
  CHECK(total_of("cpu_active_time", table) == "samples");
  Table threads("cpu-active-time", "", {{"state", "", ColumnRole::state}, {"total", "", ColumnRole::total}});
  threads.add_row({"busy", 30});
  CHECK(total_of("cpu_active_time", threads) == "total thread time");
}

TEST_CASE("requests differ by analysis, settings, ranks and range", "[dashboard]") {
  const AnalysisRequest plain{"kernel_time", {{"k", "15"}}, {}};
  CHECK(plain.key() == AnalysisRequest{"kernel_time", {{"k", "15"}}, {}}.key());
  CHECK(plain.key() != AnalysisRequest{"kernel_time", {{"k", "16"}}, {}}.key());
  CHECK(plain.key() != AnalysisRequest{"kernel_launches", {{"k", "15"}}, {}}.key());
  CHECK(plain.key() != AnalysisRequest{"kernel_time", {{"k", "15"}}, {{1}, std::nullopt}}.key());
  CHECK(plain.key() != AnalysisRequest{"kernel_time", {{"k", "15"}}, {{}, Interval{0, 5}}}.key());
}

std::vector<Table> utilization() {
  std::vector<Table> tables = blank_tables("gpu_utilization");
  Table& nodes = tables[0];
  nodes.add_row({"algo-1", 0, 10, 0.5});
  nodes.add_row({"algo-1", 10, 20, 0.7});
  nodes.add_row({"algo-1", 30, 40, 0.9});  // no data from 20 to 30
  nodes.add_row({"algo-2", 0, 10, 0.1});
  for (int gpu = 0; gpu < 2; ++gpu)
    for (int bin = 0; bin < 4; ++bin)
      tables[1].add_row({"algo-1", gpu, gpu + 4, 10 * bin, 10 * bin + 10, 0.1 * (gpu + bin)});
  return tables;
}

TEST_CASE("utilization has one line per node, with gaps where data is missing", "[dashboard]") {
  const PanelData data = make_panel_data(panel("gpu_utilization"), utilization(), scene::Theme::dark);
  const auto* lines = std::get_if<charts::LineChart>(&data.drawing.chart);
  REQUIRE(lines != nullptr);
  REQUIRE(lines->series.size() == 2);
  CHECK(lines->series[0].name == "algo-1");
  CHECK(lines->series[1].name == "algo-2");
  CHECK(lines->series[0].color != lines->series[1].color);
  CHECK(lines->y_range == std::pair(0.0, 1.0));
  const charts::LineSeries& first = lines->series[0];
  CHECK(first.steps);
  CHECK(charts::value_at(first, 15)->y == 0.7);
  CHECK_FALSE(charts::value_at(first, 25).has_value());
  CHECK(charts::value_at(first, 35)->y == 0.9);
  CHECK_FALSE(charts::value_at(lines->series[1], 11).has_value());
}

TEST_CASE("a histogram has the bins and statistics of its tables", "[dashboard]") {
  std::vector<Table> tables = blank_tables("step_time");
  Table& bins = tables[0];
  bins.add_row({0, 10, 4});
  bins.add_row({10, 20, 1});
  bins.note = "5 steps: duration on the host (no GPU activity launched).";
  tables[1].add_row({5, 8.0, 7.0, 14.0, 15.0, 16, 3.0});
  const PanelData data = make_panel_data(panel("step_time"), tables, scene::Theme::dark);
  const auto* chart = std::get_if<charts::HistogramChart>(&data.drawing.chart);
  REQUIRE(chart != nullptr);
  CHECK(chart->bins.size() == 2);
  CHECK(chart->bins[1].count == 1);
  REQUIRE(chart->marks.size() == 5);
  CHECK(chart->marks[0].name == "median");
  CHECK(chart->marks[0].value == 7);
  CHECK(chart->spread == std::pair(5.0, 11.0));
  CHECK(data.note == bins.note);
}

TEST_CASE("fewer than 20 steps are shown as bars in order, more steps as a histogram", "[dashboard]") {
  const auto chart_of = [](int steps) {
    std::vector<Table> tables = blank_tables("step_time");
    tables[0].add_row({0, 10, steps});
    tables[0].note = "note";
    for (int s = 0; s < steps; ++s)
      tables[2].add_row({"algo-1", 0, "step_" + std::to_string(s), 100 * s, 50 - s % 3, 60, "gpu annotation"});
    return make_panel_data(panel("step_time"), tables, scene::Theme::dark);
  };
  const PanelData few = chart_of(19);
  const auto* bars = std::get_if<charts::StackedBars>(&few.drawing.chart);
  REQUIRE(bars != nullptr);
  CHECK(few.drawing.table == 2);
  CHECK(few.note == "note");
  REQUIRE(bars->rows.size() == 19);
  CHECK(bars->rows[1].name == "step_1");
  CHECK(bars->rows[1].values == std::vector<double>{49});
  CHECK(bars->rows[18].name == "step_18");
  CHECK(few.drawing.rows[18] == 18);
  CHECK(std::holds_alternative<charts::HistogramChart>(chart_of(20).drawing.chart));
  CHECK(std::get<charts::StackedBars>(chart_of(1).drawing.chart).rows[0].name == "step_0");
}

TEST_CASE("tables without rows or values have no chart", "[dashboard]") {
  Table nothing = kernel_tables()[0];
  nothing.reorder({});
  nothing.note = "No GPU kernels in this selection.";
  const PanelData data = make_panel_data(panel("kernel_time"), {nothing}, scene::Theme::dark);
  CHECK(data.empty());
  CHECK(data.note == nothing.note);
  CHECK(make_panel_data(panel("kernel_time"), {}, scene::Theme::dark).empty());
  CHECK(make_panel_data(panel("step_time"), {nothing}, scene::Theme::dark).empty());
}

TEST_CASE("row values have names and units", "[dashboard]") {
  CHECK(plots::row_facts(kernel_tables()[0], 1) == "Total: 3.00 ms\nShare: 30.0 %\nCount: 3");
  CHECK(plots::row_name(kernel_tables()[0], 1) == "ncclAllReduce");
}

TEST_CASE("edges of narrow bins have distinct labels, and bins show their share of the total", "[dashboard]") {
  std::vector<Table> tables = blank_tables("step_time");
  tables[0].add_row({13'850'000, 13'852'000, 3});
  tables[0].add_row({13'852'000, 13'854'000, 1});
  const std::string facts = plots::row_facts(tables[0], 0);
  INFO(facts);
  CHECK(facts.find("Bin start: 13.850 ms\n") != std::string::npos);
  CHECK(facts.find("Bin end: 13.852 ms\n") != std::string::npos);
  CHECK(facts.find("Share: 75.0 %") != std::string::npos);
}

TEST_CASE("curves are named by the columns that distinguish them") {
  Table table("memory_bw_time_series", "",
              {{"rank", "", ColumnRole::rank},
               {"kind", "", ColumnRole::kind},
               {"time", "ns", ColumnRole::start},
               {"bandwidth", "B/s", ColumnKind::bytes}});
  table.add_row({0, "HtoD", 10, 5});
  table.add_row({0, "HtoD", 20, 0});
  table.add_row({0, "DtoH", 5, 7});
  const auto lines = plots::lines_of(table, {}, scene::Theme::dark);
  REQUIRE(lines);
  REQUIRE(lines->series.size() == 2);
  CHECK(lines->series[0].name == "HtoD");
  CHECK(lines->series[1].name == "DtoH");
  CHECK(lines->series[0].points.size() == 2);
  CHECK(lines->series[0].steps);
}

TEST_CASE("the title of a custom histogram names its annotations", "[dashboard]") {
  PanelState made = panel("histogram");
  made.annotation = "Forward";
  CHECK(title_of(made) == "Forward on the CPU");
  made.gpu = true;
  CHECK(title_of(made) == "Forward on the GPU");
  const AnalysisRequest request = request_of(made, {});
  CHECK(request.analysis == "annotation_histogram");
  CHECK(request.settings == std::vector<analysis::Setting>{{"name", "Forward"}, {"side", "gpu"}});
}

}  // namespace
}  // namespace warpscope::ui
