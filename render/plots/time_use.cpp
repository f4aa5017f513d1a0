#include "render/plots/time_use.hpp"

#include <algorithm>
#include <vector>

#include "core/analysis/shared/idle_gaps.hpp"
#include "render/plots/bar_rows.hpp"
#include "render/plots/row_meaning.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {
namespace {

using analysis::ChartSeries;
using analysis::ChartSpec;

bool is_wait(ColumnRole role) { return std::ranges::find(analysis::kIdleRoles, role) != analysis::kIdleRoles.end(); }

bool takes_time(const Table& table, std::size_t column) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at(row, column).number() > 0) return true;
  return false;
}

struct Uses {
  std::vector<std::size_t> columns{};
  std::vector<const ChartSeries*> series{};
};

/// Returns the series with nonzero time. Splits idle time by cause if the table has causes.
Uses uses_of(const ChartSpec& chart, const Table& table) {
  Uses uses;
  bool causes = false;
  for (const ChartSeries& series : chart.series) {
    const auto column = table.find_role(series.role);
    if (!column || (series.role == ColumnRole::idle && causes) || !takes_time(table, *column)) continue;
    causes = causes || is_wait(series.role);
    uses.columns.push_back(*column);
    uses.series.push_back(&series);
  }
  return uses;
}

}  // namespace

std::optional<PlottedBars> time_use_bars(const ChartSpec& chart, const Table& table, scene::Theme theme,
                                         std::span<const std::uint32_t> order) {
  if (chart.kind != analysis::ChartKind::time_use || table.rows() == 0) return std::nullopt;
  const auto [columns, uses] = uses_of(chart, table);
  std::vector<std::uint32_t> rows = rows_in(table, order);
  rows.resize(std::min(rows.size(), most_bars(table)));
  auto bars = bars_of(table, rows, columns, theme);
  if (!bars) return std::nullopt;
  PlottedBars made{std::move(*bars)};
  made.bars.title = table.title;
  for (std::size_t p = 0; p < uses.size(); ++p)
    made.bars.parts[p] = {std::string(uses[p]->label), part_color(uses[p]->role, theme)};
  if (rows.size() == 1)
    // With a single bar, the legend has room for the value of each part.
    for (std::size_t p = 0; p < uses.size(); ++p)
      made.bars.parts[p].name += "  " + charts::format_value(made.bars.rows[0].values[p], made.bars.unit);
  for (const std::uint32_t row : rows) made.rows.insert(made.rows.end(), columns.size(), row);
  return made;
}

std::optional<charts::LineChart> time_use_areas(const ChartSpec& chart, const Table& table, scene::Theme theme) {
  if (chart.kind != analysis::ChartKind::areas || chart.series.empty()) return std::nullopt;
  const auto [columns, uses] = uses_of(chart, table);
  auto areas = areas_of(table, columns, theme);
  if (!areas) return std::nullopt;
  areas->title = table.title;
  areas->y_range = {0.0, 1.0};
  for (std::size_t s = 0; s < uses.size(); ++s) areas->series[s].color = part_color(uses[s]->role, theme);
  // The last share holds until its end.
  if (const auto end = table.find_role(ColumnRole::end); end && table.rows() > 0)
    for (charts::LineSeries& series : areas->series)
      series.points.push_back({table.at(table.rows() - 1, *end).number(), series.points.back().y});
  return areas;
}

std::string_view detail_of(const ChartSpec& chart, std::string_view part) {
  const auto found =
      std::ranges::find_if(chart.series, [&](const ChartSeries& series) { return part.starts_with(series.label); });
  return found == chart.series.end() ? std::string_view() : found->detail;
}

}  // namespace warpscope::plots
