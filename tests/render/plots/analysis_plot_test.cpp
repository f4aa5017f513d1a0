// Charts of analysis tables: bars with parts, counters, titles, and the text of empty charts.
#include "render/plots/analysis_plot.hpp"

#include "core/analysis/job/sample_tables.hpp"
#include "core/analysis/critical_path/run_forest.hpp"
#include "core/analysis/shared/time_label.hpp"
#include "render/charts/colors.hpp"
#include "render/plots/bar_rows.hpp"
#include "tests/catch.hpp"
#include "tests/text.hpp"

namespace warpscope::plots {
namespace {

using analysis::TimeLabel;
using charts::StackedBars;

AnalysisDrawing chart_of(std::string_view analysis, const Table& table) {
  return plot_of(analysis, {table}, 0, scene::Theme::dark);
}

TEST_CASE("idle time has one bar per stream, split by cause", "[plots]") {
  Table table("idle-time-breakdown", "Stream idle time by cause",
              {{"rank", "", ColumnRole::rank},
               {"stream", "", ColumnRole::stream},
               {"cause", "", ColumnRole::wait_cause},
               {"device", "", ColumnRole::device},
               {"idle", "", ColumnRole::idle}});
  table.add_row({0, 7, Cell("launched work waiting for unknown reasons", TimeLabel::unknown), 0, 5'000});
  table.add_row({0, 7, Cell("short launch delays", TimeLabel::launch), 0, 20'000});
  table.add_row({0, 9, Cell("launch latency", TimeLabel::latency), 0, 1'000});
  table.add_row({1, 7, Cell("short launch delays", TimeLabel::launch), 1, 30'000});
  const AnalysisDrawing drawing = chart_of("idle_time_breakdown", table);
  const auto& bars = std::get<StackedBars>(drawing.chart);
  REQUIRE(bars.parts.size() == 3);
  CHECK(bars.parts[0].name == "short launch delays");
  CHECK(bars.parts[1].name == "launch latency");
  CHECK(bars.parts[2].name == "launched work waiting for unknown reasons");
  REQUIRE(bars.rows.size() == 3);
  CHECK(bars.rows[0].name == "rank 0 · stream 7");
  CHECK(bars.rows[0].values == std::vector<double>{20'000, 0, 5'000});
  CHECK(bars.rows[0].figure == "25.0 µs");
  CHECK(bars.rows[2].values == std::vector<double>{30'000, 0, 0});
  CHECK(drawing.row_of(0) == 1);
  CHECK(drawing.row_of(2) == 0);
  CHECK(drawing.item_of(2) == 4);
  CHECK_FALSE(drawing.row_of(1));  // this stream has no kernel wait
  CHECK_FALSE(drawing.row_of(9));
}

TEST_CASE("the streams with the most idle time are shown first", "[plots]") {
  Table table("idle-time-breakdown", "Stream idle time by cause",
              {{"rank", "", ColumnRole::rank}, {"cause", "", ColumnRole::wait_cause}, {"idle", "", ColumnRole::idle}});
  const auto last = static_cast<int>(kMostInOrder);
  for (int rank = 0; rank < last; ++rank)
    table.add_row({rank, Cell("short launch delays", TimeLabel::launch), 1'000 + rank});
  const auto first_of = [&] {
    return std::get<StackedBars>(chart_of("idle_time_breakdown", table).chart).rows[0].name;
  };
  CHECK(first_of() == "rank 0");
  table.add_row({last, Cell("short launch delays", TimeLabel::launch), 500});
  const AnalysisDrawing drawing = chart_of("idle_time_breakdown", table);
  const auto& bars = std::get<StackedBars>(drawing.chart);
  CHECK(bars.rows[0].name == "rank 15");
  CHECK(bars.rows.back().name == "rank 16");
  CHECK(drawing.row_of(0) == 15);
  CHECK(tests::contains(bars.title, "largest first"));
  REQUIRE(drawing.order.size() == table.rows());
  CHECK(drawing.order[0] == 15);
  CHECK(drawing.order.back() == 16);
  // Uses the user's row order instead.
  const std::vector<std::uint32_t> reversed{16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  const AnalysisDrawing asked = plot_of("idle_time_breakdown", {table}, 0, scene::Theme::dark, reversed);
  CHECK(std::get<StackedBars>(asked.chart).rows[0].name == "rank 16");
  CHECK(asked.order.empty());
}

TEST_CASE("kernel types and overlaps are parts of one bar", "[plots]") {
  Table types("kernel-types", "GPU time by kernel type",
              {{"kernel type", "", ColumnRole::kernel_class}, {"sum", "", ColumnRole::total}});
  types.add_row({Cell("COMMUNICATION", 2u), 40'000});
  types.add_row({Cell("COMPUTATION overlapping COMMUNICATION", 3u), 10'000});
  const StackedBars bars = std::get<StackedBars>(chart_of("gpu_kernel_breakdown", types).chart);
  REQUIRE(bars.rows.size() == 1);
  CHECK(bars.rows[0].figure == "50.0 µs");
  CHECK(bars.parts[1].name == "computation overlapping communication  10.0 µs");
  CHECK(bars.parts[0].color == scene::family_color(trace::Family::communication, scene::Theme::dark));
}

TEST_CASE("duplicate rows for one rank get separate bars", "[plots]") {
  Table path("critical-path", "Critical path",
             {{"rank", "", ColumnRole::rank}, {"class", "", ColumnRole::path_part}, {"time", "", ColumnRole::total}});
  path.add_row({0, Cell("kernels", TimeLabel::computation), 30});
  path.add_row({0, Cell("host", TimeLabel::host), 10});
  path.add_row({0, Cell("kernels", TimeLabel::computation), 50});
  const AnalysisDrawing drawing = chart_of("critical_path", path);
  const auto& bars = std::get<StackedBars>(drawing.chart);
  REQUIRE(bars.rows.size() == 2);
  CHECK(bars.rows[0].values == std::vector<double>{30, 10});
  CHECK(bars.rows[0].figure == "40 ns");
  CHECK(bars.rows[1].values == std::vector<double>{50, 0});
  CHECK(bars.rows[1].name == "rank 0 (2)");
  CHECK(drawing.row_of(2) == 2);
  Table curve("c", "",
              {{"rank", "", ColumnRole::rank},
               {"time", "", ColumnRole::start},
               {"queue length", "launches", ColumnKind::integer}});
  for (const int at : {10, 20, 5, 15}) curve.add_row({0, at, 1});
  const auto lines = std::get<charts::LineChart>(chart_of("queue_length_time_series", curve).chart);
  REQUIRE(lines.series.size() == 2);
  CHECK(lines.series[1].points.front().x == 5);
  CHECK(lines.series[0].name == "rank 0 · at 0 µs (1)");
  CHECK(lines.series[1].name == "rank 0 · at 0 µs (2)");
}

TEST_CASE("a single part is shown in the title instead of a legend", "[plots]") {
  Table path("critical-path", "Critical path",
             {{"rank", "", ColumnRole::rank}, {"class", "", ColumnRole::path_part}, {"time", "", ColumnRole::total}});
  path.add_row({1, Cell("kernels", TimeLabel::computation), 30});
  const StackedBars bars = std::get<StackedBars>(chart_of("critical_path", path).chart);
  CHECK(bars.title == "Time on the critical path: kernels");
}

TEST_CASE("bars omitted for lack of space are counted", "[plots]") {
  Table table("each", "",
              {{"rank", "", ColumnRole::rank}, {"active", "", ColumnRole::active}, {"idle", "", ColumnRole::idle}});
  for (int r = 0; r < 100; ++r) table.add_row({r / 2, 5, 6});
  const StackedBars bars = std::get<StackedBars>(chart_of("gpu_active_time", table).chart);
  CHECK(bars.rows.size() == kMostBars);
  CHECK(bars.left_out == 100 - kMostBars);
}

TEST_CASE("every chart names its measure", "[plots]") {
  Table summary("s", "Memory bandwidth",
                {{"kind", "", ColumnRole::kind}, {"mean", "B/s", ColumnKind::bytes, ColumnRole::mean}});
  summary.add_row({"Memset", 5});
  summary.add_row({"Memcpy DtoD", 7});
  const StackedBars bars = std::get<StackedBars>(chart_of("memory_bw_summary", summary).chart);
  CHECK(bars.title == "Memory bandwidth: mean, largest first");
  CHECK(bars.rows[0].name == "Memcpy DtoD");
  Table curve("c", "",
              {{"rank", "", ColumnRole::rank},
               {"device", "", ColumnRole::device},
               {"stream", "", ColumnRole::stream},
               {"time", "", ColumnRole::start},
               {"queue length", "launches", ColumnKind::integer}});
  curve.add_row({0, 0, 7, 0, 1});
  curve.add_row({0, 0, 7, 5, 0});
  curve.add_row({1, 1, 7, 0, 2});
  curve.add_row({1, 1, 9, 0, 2});
  const auto lines = std::get<charts::LineChart>(chart_of("queue_length_time_series", curve).chart);
  CHECK(lines.title == "Queue length (launches)");
  REQUIRE(lines.series.size() == 3);
  CHECK(lines.series[0].name == "rank 0 · stream 7");  // the device adds nothing to the rank
  CHECK(lines.series[2].name == "rank 1 · stream 9");
}

TEST_CASE("charts without values show text", "[plots]") {
  Table table("time-blocked-on-full-queue", "",
              {{"rank", "", ColumnRole::rank},
               {"stream", "", ColumnRole::stream},
               {"time at full queue", "", ColumnKind::duration}});
  table.add_row({0, 7, 0});
  table.add_row({0, 9, 0});
  const AnalysisDrawing drawing = chart_of("time_blocked_on_full_queue", table);
  CHECK(std::holds_alternative<std::monostate>(drawing.chart));
  CHECK(drawing.words.starts_with("No launch queue was ever full"));
  table.add_row({0, 11, 5});
  CHECK(chart_of("time_blocked_on_full_queue", table).words.empty());
}

TEST_CASE("utilization levels have colors from low to high", "[plots]") {
  const std::vector<double> low{5, 5, 15};
  const std::vector<double> high{95, 100, 85};
  const std::vector<analysis::NamedSamples> gpus{{"algo-1", "GPU 0", low}, {"algo-1", "GPU 1", high}};
  const AnalysisDrawing drawing =
      plot_of(analysis::kWorkloadChart, {analysis::workload_table(gpus)}, 0, scene::Theme::dark);
  const auto* bars = std::get_if<charts::StackedBars>(&drawing.chart);
  REQUIRE(bars != nullptr);
  REQUIRE(bars->parts.size() == 10);
  CHECK(bars->parts.front().color == charts::heat_color(0.05, scene::Theme::dark));
  CHECK(bars->parts.back().color == charts::heat_color(0.95, scene::Theme::dark));
  REQUIRE(bars->rows.size() == 2);
  CHECK(bars->rows[0].values.front() == Approx(2.0 / 3));
  CHECK(bars->rows[1].values.back() == Approx(2.0 / 3));
}

TEST_CASE("quartile tables are shown as box plots", "[plots]") {
  std::vector<double> values(101);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const std::vector<analysis::NamedSamples> series{{"algo-1", "GPU 0", values}};
  const AnalysisDrawing drawing =
      plot_of(analysis::kBoxChart, {analysis::box_table("use", "Use", series)}, 0, scene::Theme::dark);
  const auto* boxes = std::get_if<charts::BoxPlot>(&drawing.chart);
  REQUIRE(boxes != nullptr);
  REQUIRE(boxes->rows.size() == 1);
  CHECK(boxes->rows.front().p25 == Approx(0.25));
  CHECK(boxes->rows.front().p50 == Approx(0.5));
  CHECK(boxes->rows.front().p75 == Approx(0.75));
  CHECK(boxes->rows.front().lower == Approx(0));
  CHECK(boxes->rows.front().upper == Approx(1));
}

}  // namespace
}  // namespace warpscope::plots
