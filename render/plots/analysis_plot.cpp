#include "render/plots/analysis_plot.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "core/trace/category.hpp"
#include "render/charts/colors.hpp"
#include "render/plots/row_meaning.hpp"
#include "render/scene/path_chain.hpp"

namespace warpscope::plots {
namespace {

constexpr float kBarHeight = 24;   // of a row of bars, with what is between them
constexpr float kAroundBars = 64;  // axis and legend

/// Bars of several columns, which are parts of a whole.
struct Part {
  std::string_view column;                ///< "": none from here on
  std::optional<trace::Family> family{};  ///< whose colour it has; idle time is grey
};
struct PartsPlot {
  std::string_view analysis;
  std::string_view table;
  std::array<Part, 4> parts;
  bool shares = false;
};

constexpr std::array kParts{
    PartsPlot{
        "temporal_breakdown",
        "temporal-breakdown",
        {Part{"compute", trace::Family::computation}, Part{"non-compute", trace::Family::communication}, Part{"idle"}}},
    PartsPlot{"comm_comp_overlap",
              "comm-comp-overlap",
              {Part{"exposed", trace::Family::communication}, Part{"hidden", trace::Family::computation}}},
    PartsPlot{"comm_comp_overlap",
              "exposed-communication",
              {Part{"exposed", trace::Family::communication}, Part{"hidden", trace::Family::computation}}},
    PartsPlot{"idle_time_breakdown",
              "idle-by-stream",
              {Part{"host wait", trace::Family::runtime}, Part{"kernel wait", trace::Family::sync}, Part{"other"},
               Part{"no launch record", trace::Family::annotation}}},
    PartsPlot{"gpu_active_time", "by-gpu", {Part{"active", trace::Family::computation}, Part{"idle"}}},
    PartsPlot{"gpu_active_time", "each", {Part{"active", trace::Family::computation}, Part{"idle"}}},
    PartsPlot{"cpu_active_time", "by-thread", {Part{"busy", trace::Family::computation}, Part{"not busy"}}},
    PartsPlot{"cpu_active_time", "each", {Part{"active", trace::Family::computation}, Part{"idle"}}},
};

/// Areas on each other over time, of all columns of bytes but the last, which is their sum.
struct AreasPlot {
  std::string_view analysis;
  std::string_view table;
};
constexpr std::array kAreas{AreasPlot{"memory_timeline", "memory-timeline"}};

using Columns = std::vector<std::size_t>;

Table first_rows(const Table& table) {
  Table first = table;
  std::vector<std::uint32_t> rows(std::min(table.rows(), kMostBars));
  std::iota(rows.begin(), rows.end(), 0u);
  first.reorder(rows);
  return first;
}

/// Texts and identifiers in front of the first figure.
Columns names_of(const Table& table) {
  Columns names;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const ColumnKind kind = table.columns()[c].kind;
    if (kind == ColumnKind::text || kind == ColumnKind::identifier) names.push_back(c);
  }
  if (names.size() > 3) names.resize(3);
  return names;
}

/// What bars are worth: time before shares before means before anything that is counted.
std::optional<std::size_t> figure_of(const Table& table) {
  for (const ColumnKind kind :
       {ColumnKind::duration, ColumnKind::share, ColumnKind::bytes, ColumnKind::real, ColumnKind::integer})
    if (const auto found = first_of(table, kind)) return found;
  return std::nullopt;
}

std::optional<charts::StackedBars> parts_of(const PartsPlot& plot, const Table& table, scene::Theme theme) {
  Columns parts;
  std::vector<scene::Color> colors;
  for (const Part& part : plot.parts) {
    const auto column = part.column.empty() ? std::nullopt : table.find_column(part.column);
    if (!column) continue;
    parts.push_back(*column);
    colors.push_back(part.family ? scene::family_color(*part.family, theme) : charts::rest_color(theme));
  }
  auto bars = bars_of(first_rows(table), names_of(table), parts, plot.shares, theme);
  for (std::size_t p = 0; bars && p < colors.size(); ++p) bars->parts[p].color = colors[p];
  return bars;
}

/// A bar a rank, of what bounds its critical path.
AnalysisDrawing bounds_of(const Table& table, scene::Theme theme) {
  AnalysisDrawing drawing;
  const auto rank = table.find_column("rank");
  const auto name = table.find_column("bound by");
  const auto time = table.find_column("time");
  if (!rank || !name || !time) return drawing;
  charts::StackedBars bars;
  bars.unit = unit_of(table.columns()[*time]);
  std::vector<std::string_view> known;  // of the parts, as the table has them
  for (std::size_t b = 0; b < analysis::kBounds; ++b) {
    const auto bound = static_cast<analysis::BoundBy>(b);
    const std::string_view own = analysis::hta_name(bound);
    bool told = false;
    for (std::size_t r = 0; r < table.rows(); ++r) told = told || table.at(r, *name).text() == own;
    if (!told) continue;
    known.push_back(own);
    bars.parts.push_back(
        {std::string(scene::words_of(bound)), row_color(RowMeaning::bound, own, bars.parts.size(), theme)});
  }
  std::optional<std::int64_t> last;
  std::vector<double> sums;
  for (std::uint32_t r = 0; r < table.rows(); ++r) {
    const auto part = std::ranges::find(known, table.at(r, *name).text());
    const std::int64_t number = table.at(r, *rank).integer();
    if (last != number && bars.rows.size() == kMostBars) break;
    if (last != number) {
      bars.rows.push_back({"rank " + std::to_string(number), std::vector<double>(known.size(), 0), "", {}});
      drawing.rows.insert(drawing.rows.end(), known.size(), r);
      sums.push_back(0);
      last = number;
    }
    if (part == known.end()) continue;
    const auto p = static_cast<std::size_t>(part - known.begin());
    bars.rows.back().values[p] = table.at(r, *time).number();
    sums.back() += bars.rows.back().values[p];
    drawing.rows[(bars.rows.size() - 1) * known.size() + p] = r;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) bars.rows[i].figure = charts::format_value(sums[i], bars.unit);
  drawing.chart = std::move(bars);
  return drawing;
}

/// Rows that stand for something have its colour, and kernels their short names, as everywhere; equal things have one
/// colour.
void color_rows(charts::StackedBars& bars, std::string_view analysis, const Table& table, const Columns& names,
                scene::Theme theme) {
  const auto meaning = [&](std::size_t column) { return meaning_of(analysis, table.columns()[column].name); };
  const auto told =
      std::ranges::find_if(names, [&](std::size_t column) { return meaning(column) != RowMeaning::none; });
  if (told == names.end()) return;
  for (std::size_t r = 0; r < bars.rows.size(); ++r) {
    const Cell name = table.at(r, *told);
    if (name.type() != Cell::Type::text) continue;
    bars.rows[r].color = row_color(meaning(*told), name.text(), r, theme);
    if (names.size() == 1) bars.rows[r].name = row_label(meaning(*told), name.text());
  }
}

bool is_curve(const Table& table) {
  const auto time = first_of(table, ColumnKind::time);
  if (!time || table.rows() < 2) return false;
  // Rows that have a length of their own, as slices have, are no points of a curve.
  return !table.find_column("duration") && !table.find_column("name");
}

}  // namespace

std::optional<std::size_t> AnalysisDrawing::row_of(std::uint32_t item) const {
  if (item < rows.size()) return rows[item];
  if (!rows.empty() || bars_of_row == 0) return std::nullopt;
  return item / bars_of_row;
}

AnalysisDrawing plot_of(std::string_view analysis, const std::vector<Table>& tables, std::size_t index,
                        scene::Theme theme) {
  AnalysisDrawing drawing;
  const Table& table = tables[index];
  if (table.rows() == 0) return drawing;
  if (analysis == "critical_path" && table.id == "critical-path") return bounds_of(table, theme);
  const auto told = std::ranges::find_if(
      kParts, [&](const PartsPlot& plot) { return plot.analysis == analysis && plot.table == table.id; });
  if (told != kParts.end()) {
    if (auto bars = parts_of(*told, table, theme)) {
      drawing.bars_of_row = bars->parts.size();
      drawing.chart = std::move(*bars);
    }
    return drawing;
  }
  if (std::ranges::any_of(kAreas,
                          [&](const AreasPlot& plot) { return plot.analysis == analysis && plot.table == table.id; })) {
    Columns parts;
    for (std::size_t c = 0; c < table.columns().size(); ++c)
      if (table.columns()[c].kind == ColumnKind::bytes) parts.push_back(c);
    parts.pop_back();
    drawing.bars_of_row = 0;
    if (auto areas = areas_of(table, parts, theme)) drawing.chart = std::move(*areas);
    return drawing;
  }
  if (table.find_column("bin begin")) {
    if (auto made = histogram_of({table, tables.size() > 1 ? tables[1] : table}, {}, theme))
      drawing.chart = std::move(made->chart);
    return drawing;
  }
  if (is_curve(table)) {
    drawing.bars_of_row = 0;
    if (auto lines = lines_of(table, "", theme)) drawing.chart = std::move(*lines);
    return drawing;
  }
  const Columns names = names_of(table);
  const auto figure = figure_of(table);
  if (names.empty() || !figure || table.rows() < 2) return drawing;
  if (auto bars = bars_of(first_rows(table), names, std::array{*figure}, false, theme)) {
    color_rows(*bars, analysis, table, names, theme);
    drawing.chart = std::move(*bars);
  }
  return drawing;
}

charts::Drawing draw(const plots::AnalysisChart& chart, float width, float height, const charts::ChartStyle& style) {
  if (const auto* bars = std::get_if<charts::StackedBars>(&chart))
    return charts::draw_stacked_bars(*bars, width, height, style);
  if (const auto* lines = std::get_if<charts::LineChart>(&chart))
    return charts::draw_lines(*lines, width, height, style).drawing;
  if (const auto* histogram = std::get_if<charts::HistogramChart>(&chart))
    return charts::draw_histogram(*histogram, width, height, style);
  if (const auto* map = std::get_if<charts::HeatMap>(&chart)) return charts::draw_heat_map(*map, width, height, style);
  return {};
}

float bars_height(const AnalysisChart& chart, float otherwise) {
  const auto* bars = std::get_if<charts::StackedBars>(&chart);
  return bars == nullptr ? otherwise : kBarHeight * static_cast<float>(bars->rows.size()) + kAroundBars;
}

}  // namespace warpscope::plots
