#include "render/plots/analysis_plot.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "core/analysis/job/sample_tables.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/base/ascii.hpp"
#include "core/base/parse_number.hpp"
#include "core/trace/string_table.hpp"
#include "render/charts/colors.hpp"
#include "render/plots/bar_labels.hpp"
#include "render/plots/bar_rows.hpp"
#include "render/plots/part_bars.hpp"
#include "render/plots/pie_plot.hpp"
#include "render/plots/rank_heat.hpp"
#include "render/plots/roofline_plot.hpp"
#include "render/plots/row_color.hpp"

namespace warpscope::plots {
namespace {

using analysis::ChartKind;
using analysis::ChartSpec;

constexpr float kBarHeight = 24;   // of a row of bars, including the gap
constexpr float kAroundBars = 64;  // axis and legend
constexpr float kCellHeight = 14;  // of a row of a grid
constexpr float kMostMapHeight = 960;
constexpr float kLeftOutLine = 20;
constexpr std::size_t kLeastInHistogram = 20;  // steps; fewer are shown as bars

/// Colors bars by the meaning of their rows; items of equal rank share one color.
void color_rows(charts::StackedBars& bars, const Table& table, const std::vector<std::uint32_t>& rows,
                scene::Theme theme) {
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const ColumnRole role = table.columns()[c].role;
    if (table.columns()[c].kind != ColumnKind::text || !has_colors(role)) continue;
    for (std::size_t i = 0; i < rows.size(); ++i)
      bars.rows[i].color = row_color(role, table.at(rows[i], c), rows[i], theme);
    return;
  }
}

bool is_curve(const Table& table) {
  const auto time = first_of(table, ColumnKind::time);
  if (!time || table.rows() < 2) return false;
  // Rows with a duration, such as slices, are not points of a curve.
  return !table.find_role(ColumnRole::duration) && !table.find_role(ColumnRole::name) &&
         !table.find_role(ColumnRole::kernel) && !table.find_role(ColumnRole::annotation);
}

bool all_nothing(const charts::StackedBars& bars) {
  return std::ranges::all_of(bars.rows, [](const charts::BarRow& row) {
    return std::ranges::none_of(row.values, [](double value) { return value > 0; });
  });
}

void show_plotted(AnalysisDrawing& drawing, const ChartSpec& chart, const Table& table, PlottedBars made) {
  if (all_nothing(made.bars)) {
    drawing.words = !chart.if_zero.empty() ? std::string(chart.if_zero) : made.bars.title + ": all values are 0.";
    return;
  }
  const bool per_rank = chart.kind == ChartKind::rows
                            ? table.find_role(ColumnRole::rank).has_value() && made.bars.left_out == 0
                            : is_of_many_ranks(table);
  if (auto grid = per_rank ? heat_of_bars(made) : std::nullopt) {
    drawing.chart = std::move(grid->map);
    drawing.rows = std::move(grid->cells);
    return;
  }
  drawing.rows = std::move(made.rows);
  drawing.order = std::move(made.order);
  drawing.chart = std::move(made.bars);
}

/// "Mean" alone is ambiguous, so titles of such columns include the table's title.
std::string title_of(const Table& table, std::size_t figure) {
  constexpr std::array kOfAnything{ColumnRole::mean,  ColumnRole::total, ColumnRole::share,
                                   ColumnRole::count, ColumnRole::max,   ColumnRole::duration};
  const Column& column = table.columns()[figure];
  if (table.title.empty() || std::ranges::find(kOfAnything, column.role) == kOfAnything.end())
    return measure_of(column);
  std::string measure = measure_of(column);
  measure[0] = lower(measure[0]);
  return table.title + ": " + measure;
}

/// Creates a heat map of the quartiles of many ranks.
std::optional<AnalysisDrawing> heat_of_boxes(const Table& table, const analysis::BoxColumns& columns,
                                             scene::Theme theme, std::span<const std::uint32_t> order) {
  const std::vector<std::uint32_t> rows = rows_in(table, order);
  const std::array parts{columns.lower, columns.p25, columns.p50, columns.p75, columns.upper};
  auto bars = bars_of(table, rows, parts, theme);
  if (!bars) return std::nullopt;
  bars->title = table.title;
  PlottedBars made{std::move(*bars)};
  for (const std::uint32_t row : rows) made.rows.insert(made.rows.end(), parts.size(), row);
  auto grid = heat_of_bars(made);
  if (!grid) return std::nullopt;
  return AnalysisDrawing{.chart = std::move(grid->map), .rows = std::move(grid->cells)};
}

/// Creates a box plot from a table of quartiles, in row order or in that of `order`.
std::optional<AnalysisDrawing> box_rows(const Table& table, scene::Theme theme, std::span<const std::uint32_t> order) {
  const auto columns = analysis::box_columns(table);
  if (!columns) return std::nullopt;
  AnalysisDrawing drawing;
  if (is_of_many_ranks(table)) return heat_of_boxes(table, *columns, theme, order);
  drawing.rows = rows_in(table, order);
  drawing.rows.resize(std::min(drawing.rows.size(), kMostBars));
  charts::BoxPlot plot;
  plot.unit = unit_of(table.columns()[columns->p50]);
  plot.title = table.title;
  plot.left_out = table.rows() - drawing.rows.size();
  plot.below = charts::series_color(0, theme);
  plot.above = charts::series_color(1, theme);
  std::vector<std::string> labels = bar_labels(table, drawing.rows);
  for (std::size_t i = 0; i < drawing.rows.size(); ++i) {
    const auto value = [&](std::size_t column) { return table.at(drawing.rows[i], column).number(); };
    plot.rows.push_back({std::move(labels[i]), value(columns->lower), value(columns->p25), value(columns->p50),
                         value(columns->p75), value(columns->upper)});
  }
  drawing.chart = std::move(plot);
  return drawing;
}

/// Creates an icicle chart from a tree whose rows are in depth-first order.
std::optional<charts::Icicle> icicle_of(const Table& table, scene::Theme theme) {
  const auto depth = table.find_role(ColumnRole::depth);
  const auto total = table.find_role(ColumnRole::total);
  if (!depth || !total) return std::nullopt;
  charts::Icicle chart{
      .title = measure_of(table.columns()[*total]), .nodes = {}, .unit = unit_of(table.columns()[*total])};
  bool any = false;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view name = trimmed(row_name(table, row));
    const double value = table.at(row, *total).number();
    chart.nodes.push_back({std::string(name),
                           static_cast<std::uint32_t>(std::max<std::int64_t>(0, table.at(row, *depth).integer())),
                           value, scene::slice_color(scene::Family::op, stable_hash(name), theme)});
    any = any || value > 0;
  }
  return any ? std::optional(std::move(chart)) : std::nullopt;
}

/// Shows a few steps as bars in chronological order, because a histogram of a handful of values is not informative.
std::optional<AnalysisDrawing> step_bars(const std::vector<Table>& tables, scene::Theme theme) {
  const auto steps = std::ranges::find_if(tables, [](const Table& table) {
    return table.find_role(ColumnRole::step) && table.find_role(ColumnRole::duration);
  });
  if (steps == tables.end() || steps->rows() == 0 || steps->rows() >= kLeastInHistogram) return std::nullopt;
  AnalysisDrawing drawing{.rows = rows_in(*steps), .table = static_cast<std::size_t>(steps - tables.begin())};
  auto bars = bars_of(*steps, drawing.rows, std::array{*steps->find_role(ColumnRole::duration)}, theme);
  if (!bars) return std::nullopt;
  bars->title = "Time of each step";
  // A single row has no label to distinguish it, so use the step's name.
  if (drawing.rows.size() == 1) bars->rows[0].name = steps->at(0, *steps->find_role(ColumnRole::step)).text();
  bars->parts[0].color = scene::family_color(scene::Family::annotation, theme);
  drawing.chart = std::move(*bars);
  return drawing;
}

/// Creates bars from the wanted column if there is one, otherwise, of several rows, from the most important column.
std::optional<PlottedBars> bars_in(const Table& table, scene::Theme theme, std::span<const std::uint32_t> order,
                                   std::optional<std::size_t> wanted) {
  const auto figure = wanted ? wanted : figure_of(table);
  const auto is_name = [](const Column& column) {
    return column.kind == ColumnKind::text || column.kind == ColumnKind::identifier;
  };
  if (!figure || (!wanted && table.rows() < 2) || std::ranges::none_of(table.columns(), is_name)) return std::nullopt;
  BarRows chosen = bar_rows(table, *figure, order);
  if (is_of_many_ranks(table)) {
    // Many ranks become a grid, in which the user finds a rank by its number.
    const std::size_t rank = *table.find_role(ColumnRole::rank);
    std::ranges::stable_sort(chosen.rows, {}, [&](std::uint32_t row) { return table.at(row, rank).integer(); });
    chosen.sorted = chosen.rest_last = false;
    chosen.order.clear();
  }
  auto bars = bars_of(table, chosen.rows, std::array{*figure}, theme);
  if (!bars) return std::nullopt;
  bars->title = title_of(table, *figure) + order_words(chosen);
  color_rows(*bars, table, chosen.rows, theme);
  return PlottedBars{std::move(*bars), std::move(chosen.rows), std::move(chosen.order)};
}

}  // namespace

std::optional<std::size_t> AnalysisDrawing::row_of(std::uint32_t item) const {
  return item < rows.size() && rows[item] != kNoRow ? std::optional<std::size_t>(rows[item]) : std::nullopt;
}

std::optional<std::uint32_t> AnalysisDrawing::item_of(std::size_t row) const {
  const auto found = std::ranges::find(rows, row);
  return found != rows.end() ? std::optional(static_cast<std::uint32_t>(found - rows.begin())) : std::nullopt;
}

AnalysisDrawing plot_of(std::string_view analysis, const std::vector<Table>& tables, std::size_t index,
                        scene::Theme theme, std::span<const std::uint32_t> order, std::optional<std::size_t> figure) {
  return plot_of(analysis::chart_of(analysis, tables[index].id), tables, index, theme, order, figure);
}

AnalysisDrawing plot_of(const ChartSpec& spec, const std::vector<Table>& tables, std::size_t index, scene::Theme theme,
                        std::span<const std::uint32_t> order, std::optional<std::size_t> figure) {
  AnalysisDrawing drawing{.table = index};
  const Table& table = tables[index];
  if (table.rows() == 0) return drawing;
  // Many columns have the role none, so don't search for it.
  const auto wanted = figure || spec.y == ColumnRole::none ? figure : table.find_role(spec.y);
  const auto show = [&](auto&& chart, std::vector<std::uint32_t> rows = {}) {
    if (chart) drawing.chart = std::move(*chart);
    if (chart) drawing.rows = std::move(rows);
  };
  const auto show_bars = [&](PlottedBars made) { show_plotted(drawing, spec, table, std::move(made)); };
  switch (spec.kind) {
    case ChartKind::none:
      return drawing;
    case ChartKind::columns:
    case ChartKind::rows:
    case ChartKind::time_use:
      if (auto parts = part_bars(spec, table, theme, order);
          parts && (!spec.if_zero.empty() || spec.kind != ChartKind::columns || !all_nothing(parts->bars))) {
        show_bars(std::move(*parts));
        return drawing;
      }
      if (spec.kind == ChartKind::time_use) return drawing;
      break;
    case ChartKind::areas:
      show(part_areas(spec, table, theme));
      return drawing;
    case ChartKind::pie:
      show(pie_of(spec, tables, index, theme), rows_in(table));
      return drawing;
    case ChartKind::icicle:
      show(icicle_of(table, theme), rows_in(table));
      return drawing;
    case ChartKind::roofline:
      show(roofline_of(table, tables, theme), rows_in(table));
      return drawing;
    case ChartKind::lines:
      show(lines_of(table, wanted, theme));
      return drawing;
    case ChartKind::grid:
      if (auto grid = grid_of(spec, table)) {
        show(std::optional(std::move(grid->map)), std::move(grid->cells));
        return drawing;
      }
      break;
    case ChartKind::boxes:
      if (auto boxes = box_rows(table, theme, order)) drawing = std::move(*boxes);
      drawing.table = index;
      return drawing;
    case ChartKind::automatic:
      break;
  }
  if (table.find_role(ColumnRole::bin_start)) {
    if (auto steps = step_bars(tables, theme)) return std::move(*steps);
    auto histogram = histogram_of(table, tables.size() > 1 ? tables[1] : table, theme);
    if (histogram) histogram->title = "Count by duration";
    show(std::move(histogram), rows_in(table));
  } else if (is_curve(table)) {
    auto lines = lines_of(table, wanted, theme);
    auto map = lines && table.find_role(ColumnRole::rank) ? heat_of_curves(*lines) : std::nullopt;
    if (map)
      show(std::move(map));
    else
      show(std::move(lines));
  } else if (auto bars = bars_in(table, theme, order, wanted)) {
    show_bars(std::move(*bars));
  }
  return drawing;
}

charts::Drawing draw(const AnalysisChart& chart, float width, float height, const charts::ChartStyle& style) {
  return std::visit(
      [&](const auto& each) -> charts::Drawing {
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::monostate>)
          return {};
        else
          return charts::draw(each, width, height, style);
      },
      chart);
}

float bars_height(const AnalysisChart& chart, float otherwise) {
  const auto height = [](const auto& rows) {
    return kBarHeight * static_cast<float>(rows.rows.size()) + kAroundBars + (rows.left_out > 0 ? kLeftOutLine : 0);
  };
  if (const auto* bars = std::get_if<charts::StackedBars>(&chart)) return height(*bars);
  if (const auto* boxes = std::get_if<charts::BoxPlot>(&chart)) return height(*boxes);
  if (const auto* icicle = std::get_if<charts::Icicle>(&chart)) return charts::height_of(*icicle);
  if (const auto* map = std::get_if<charts::HeatMap>(&chart); map != nullptr && !map->column_names.empty())
    return std::min(kMostMapHeight, kAroundBars + kCellHeight * static_cast<float>(map->rows.size()));
  return otherwise;
}

}  // namespace warpscope::plots
