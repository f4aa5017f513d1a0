// Charts do not depend on column names.
#include "tests/core/analysis/renamed_columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <variant>

#include "core/analysis/request/registry.hpp"
#include "render/plots/analysis_plot.hpp"
#include "render/plots/name_labels.hpp"
#include "tests/catch.hpp"

namespace warpscope::plots {
namespace {

using namespace warpscope::tests;

void append(std::string& text, double value) { text += std::to_string(std::bit_cast<std::uint64_t>(value)) + ' '; }

/// Everything that a chart shows: text, values, colors and order.
class Written {
 public:
  explicit Written(const std::vector<Table>& tables) : tables_(tables) {}

  std::string of(const AnalysisDrawing& drawing) {
    std::visit([&](const auto& chart) { write(chart); }, drawing.chart);
    for (const std::uint32_t row : drawing.rows) text_ += "row " + std::to_string(row) + '\n';
    for (const std::uint32_t row : drawing.order) text_ += "order " + std::to_string(row) + '\n';
    name(drawing.words);
    return text_;
  }

 private:
  void name(const std::string& words) { text_ += with_names_of(tables_, words) + '\n'; }
  void color(scene::Color color) { text_ += "color " + std::to_string(color) + '\n'; }
  void write(const charts::PieChart& pie) {
    name(pie.total_of);
    for (const std::string& heading : pie.headings) name(heading);
    for (const charts::PiePart& part : pie.parts) {
      name(part.label);
      color(part.color);
      append(text_, part.value);
      for (const std::string& figure : part.figures) text_ += figure + ' ';
    }
  }
  void write(const std::monostate&) { text_ += "no chart\n"; }
  void write(const charts::StackedBars& bars) {
    text_ += "bars " + std::to_string(static_cast<int>(bars.unit)) + ' ' + std::to_string(bars.left_out) + '\n';
    name(bars.title);
    for (const charts::BarPart& part : bars.parts) {
      name(part.name);
      color(part.color);
    }
    for (const charts::BarRow& row : bars.rows) {
      name(row.name);
      for (const double value : row.values) append(text_, value);
      text_ += row.figure + '\n';
      if (row.color) color(*row.color);
    }
  }
  void write(const charts::LineChart& lines) {
    text_ += std::string(lines.stacked ? "areas " : "lines ") + std::to_string(static_cast<int>(lines.y_unit)) + '\n';
    name(lines.title);
    if (lines.y_range) append(text_, lines.y_range->second);
    for (const charts::LineSeries& series : lines.series) {
      name(series.name);
      color(series.color);
      for (const charts::LinePoint& point : series.points) {
        append(text_, point.x);
        append(text_, std::isnan(point.y) ? -1.0 : point.y);
      }
    }
  }
  void write(const charts::Icicle& icicle) {
    text_ += "icicle\n";
    name(icicle.title);
    for (const charts::IcicleNode& node : icicle.nodes) {
      name(node.name);
      color(node.color);
      append(text_, node.depth);
      append(text_, node.value);
    }
  }
  void write(const charts::Roofline& roofline) {
    text_ += "roofline\n";
    name(roofline.title);
    for (const charts::RooflineDot& dot : roofline.dots) {
      name(dot.name);
      color(dot.color);
      for (const double value : {dot.intensity, dot.rate, dot.time}) append(text_, value);
    }
    for (const charts::Roof& roof : roofline.roofs) {
      name(roof.name);
      append(text_, roof.memory);
      append(text_, roof.compute);
    }
  }
  void write(const charts::HistogramChart& histogram) {
    text_ += "histogram\n";
    name(histogram.title);
    color(histogram.color);
    for (const charts::HistogramBin& bin : histogram.bins) {
      append(text_, bin.begin);
      append(text_, bin.end);
      append(text_, bin.count);
    }
    for (const charts::HistogramMark& mark : histogram.marks) {
      name(mark.name);
      append(text_, mark.value);
    }
    if (histogram.spread) append(text_, histogram.spread->second);
  }
  void write(const charts::BoxPlot& plot) {
    text_ += "boxes " + std::to_string(plot.left_out) + '\n';
    name(plot.title);
    color(plot.below);
    color(plot.above);
    for (const charts::BoxRow& row : plot.rows) {
      name(row.name);
      for (const double value : {row.lower, row.p25, row.p50, row.p75, row.upper}) append(text_, value);
    }
  }
  void write(const charts::HeatMap& map) {
    text_ += "heat map\n";
    for (const std::string& row : map.rows) name(row);
    for (const double value : map.values) append(text_, value);
  }

  const std::vector<Table>& tables_;
  std::string text_;
};

/// Compares charts of the tables with charts of renamed copies; returns how many tables have a chart.
std::size_t compare(std::string_view analysis, const std::vector<Table>& tables) {
  const std::vector<Table> others = renamed(tables);
  std::size_t charts = 0;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    INFO(analysis << " " << tables[t].id);
    const AnalysisDrawing before = plot_of(analysis, tables, t, scene::Theme::dark);
    const AnalysisDrawing after = plot_of(analysis, others, t, scene::Theme::dark);
    CHECK(Written(tables).of(after) == Written(tables).of(before));
    if (!std::holds_alternative<std::monostate>(before.chart)) ++charts;
    for (std::size_t c = 0; c < tables[t].columns().size(); ++c)
      CHECK(holds_kernels(others[t], c) == holds_kernels(tables[t], c));
    for (std::size_t row = 0; row < std::min<std::size_t>(tables[t].rows(), 5); ++row)
      CHECK(with_names_of(tables, row_facts(others[t], row)) == with_names_of(tables, row_facts(tables[t], row)));
  }
  return charts;
}

TEST_CASE("renaming all columns of all analyses changes no charts", "[plots]") {
  std::size_t charts = 0;
  for (const AllTables::Of& each : all_tables().analyses) charts += compare(each.analysis, each.tables);
  CHECK(charts > 30);
}

TEST_CASE("declared charts find their columns", "[plots]") {
  std::size_t declared = 0;
  for (const AllTables::Of& each : all_tables().analyses)
    for (const Table& table : each.tables) {
      const analysis::ChartSpec chart = analysis::chart_of(each.analysis, table.id);
      INFO(each.analysis << " " << table.id);
      if (chart.kind == analysis::ChartKind::rows) {
        CHECK(table.find_role(chart.x));
        CHECK(table.find_role(chart.y));
      }
      const auto known = [&](const analysis::ChartSeries& series) { return table.find_role(series.role).has_value(); };
      if (!chart.series.empty()) CHECK(std::ranges::count_if(chart.series, known) > 1);
      if (chart.kind != analysis::ChartKind::automatic) ++declared;
    }
  CHECK(declared > 10);
}

TEST_CASE("renaming counter and memory columns changes no charts", "[plots]") {
  Table counters("cupti-counters", "Kernel counters",
                 {{"rank", "", ColumnRole::rank},
                  {"kernel", "", ColumnRole::kernel},
                  {"begin", "", ColumnRole::start},
                  {"duration", "", ColumnRole::duration},
                  {"inst_op_fadd.sum", "", ColumnRole::counter, "inst_op_fadd.sum"},
                  {"inst_op_ffma.sum", "", ColumnRole::counter, "inst_op_ffma.sum"}});
  counters.add_row({0, "relu", 0, 5, 10.0, 0.0});
  counters.add_row({0, "gemm", 10, 5, 0.0, 600.0});
  CHECK(compare("cupti_counters", {counters}) == 1);
  Table memory("memory-timeline", "Memory in use",
               {{"file", "", ColumnRole::file},
                {"time", "", ColumnRole::start},
                {"Parameter", "", ColumnRole::part},
                {"Gradient", "", ColumnRole::part},
                {"total", "", ColumnKind::bytes, ColumnRole::total}});
  memory.add_row({"a", 0, 5, 1, 6});
  memory.add_row({"a", 9, 5, 3, 8});
  CHECK(compare("memory_timeline", {memory}) == 1);
}

}  // namespace
}  // namespace warpscope::plots
