#include "app/ui/widgets/plot_view.hpp"

#include <algorithm>
#include <numeric>

#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::ui {
namespace {

/// Formats a row's non-empty text cells, except its name, as tooltip lines: "First run: gemm".
std::string row_texts(const Table& table, std::size_t row) {
  std::string lines;
  bool named = false;  // set after the first text, which is the row's name
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const Column& column = table.columns()[c];
    if (column.kind != ColumnKind::text) continue;
    const std::string_view words = table.at(row, c).text();
    if (named && !words.empty()) lines += sentence(column.shown()) + ": " + std::string(words) + "\n";
    named = true;
  }
  return lines;
}

/// Shows a cell of a heat map over time.
void cell_tooltip(const AppContext& app, const charts::HeatMap& map, std::uint32_t cell, std::string_view further) {
  const double width = (map.x_end - map.x_begin) / static_cast<double>(map.columns);
  const auto begin = static_cast<Ns>(map.x_begin + width * static_cast<double>(cell % map.columns));
  tooltip(app, map.rows[cell / map.columns],
          format_time_at(begin, static_cast<Ns>(std::max(1.0, width))) + ": " +
              charts::format_value(map.values[cell], map.unit),
          further);
}

}  // namespace

ChartView::Answer draw_plot(const AppContext& app, ChartView& view, const char* id, ImVec2 size, scene::Color ground,
                            const plots::AnalysisDrawing& plot, std::optional<std::uint32_t> marked) {
  const auto* map = std::get_if<charts::HeatMap>(&plot.chart);
  if (marked && map != nullptr) marked = *marked / static_cast<std::uint32_t>(map->columns);
  const auto make = [&plot](float width, float height, const charts::ChartStyle& style) {
    return plots::draw(plot.chart, width, height, style);
  };
  ChartView::Answer over = view.draw(app, id, size, ground, make, marked);
  if (map != nullptr && over.item) over.item = charts::cell_at(*map, view.drawing(), over.pointer);
  return over;
}

void plot_tooltip(const AppContext& app, const ChartView& view, const plots::AnalysisDrawing& plot, const Table& table,
                  const ChartView::Answer& over, std::string_view name, std::string_view further,
                  std::string_view over_time) {
  if (const auto* lines = std::get_if<charts::LineChart>(&plot.chart); lines != nullptr && over.hovered)
    return line_hover(app, view, *lines, over.pointer, over_time);
  if (!over.item) return;
  if (const auto* map = std::get_if<charts::HeatMap>(&plot.chart); map != nullptr && plot.rows.empty())
    return cell_tooltip(app, *map, *over.item, over_time);
  const auto row = plot.row_of(*over.item);
  if (!row || *row >= table.rows()) return;
  if (const auto* bars = std::get_if<charts::StackedBars>(&plot.chart); bars != nullptr && bars->parts.size() > 1) {
    const charts::BarRow& bar = bars->rows[*over.item / bars->parts.size()];
    const double value = bar.values[*over.item % bars->parts.size()];
    const double whole = std::accumulate(bar.values.begin(), bar.values.end(), 0.0);
    return tooltip(app, bar.name + " · " + bars->parts[*over.item % bars->parts.size()].name,
                   charts::format_value(value, bars->unit) + " · " + format_share(value / whole) + " of the bar",
                   further);
  }
  tooltip(app, name.empty() ? plots::row_name(table, *row) : name,
          row_texts(table, *row) + plots::row_facts(table, *row), further);
}

}  // namespace warpscope::ui
