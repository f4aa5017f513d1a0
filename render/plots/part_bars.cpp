#include "render/plots/part_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/ascii.hpp"
#include "render/charts/colors.hpp"
#include "render/plots/bar_labels.hpp"
#include "render/plots/bar_rows.hpp"
#include "render/plots/rank_heat.hpp"
#include "render/plots/row_color.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {
namespace {

std::string words_of_part(ColumnRole role, const Cell& part) {
  std::string words = role == ColumnRole::kernel_class ? lower(part.text()) : std::string(part.text());
  std::ranges::replace(words, '_', ' ');
  return words;
}

/// Returns the distinct values in a column: causes and bottlenecks in the order of their enumerators, others in table
/// order.
std::vector<Cell> parts_in(const Table& table, std::size_t column) {
  std::vector<Cell> found;
  for (std::uint32_t r = 0; r < table.rows(); ++r)
    if (const Cell cell = table.at(r, column); std::ranges::find(found, cell) == found.end()) found.push_back(cell);
  const ColumnRole role = table.columns()[column].role;
  if (role == ColumnRole::wait_cause)
    std::ranges::stable_sort(found, {}, [](const Cell& cell) { return cell.reference().value_or(0); });
  return found;
}

/// Returns the identifiers of a row.
std::vector<std::int64_t> key_of(const Table& table, std::uint32_t row) {
  std::vector<std::int64_t> key;
  for (std::size_t c = 0; c < table.columns().size(); ++c)
    if (table.columns()[c].kind == ColumnKind::identifier) key.push_back(table.at(row, c).integer());
  return key;
}

std::string name_of(const Table& table, std::uint32_t row, std::size_t before) {
  std::string name;
  for (std::size_t c = 0; c < before; ++c)
    if (const Cell cell = table.at(row, c); !cell.missing())
      name += (name.empty() ? "" : " · ") + word_of(table.columns()[c], cell);
  return name;
}

constexpr std::size_t kNone = ~std::size_t{0};

bool has_time(const Table& table, std::size_t column) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at(row, column).number() > 0) return true;
  return false;
}

/// Adds the value of each part to its name: with a single bar, the legend has room for it.
void add_values(charts::StackedBars& bars) {
  for (std::size_t p = 0; p < bars.parts.size(); ++p)
    bars.parts[p].name += "  " + charts::format_value(bars.rows[0].values[p], bars.unit);
}

/// Sorts bars of `parts` parts each by sum, largest first.
void sort_by(const std::vector<double>& sums, std::size_t parts, PlottedBars& made) {
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return sums[i]; });
  PlottedBars sorted{made.bars};
  sorted.bars.rows.clear();
  for (const std::size_t i : order) {
    sorted.bars.rows.push_back(std::move(made.bars.rows[i]));
    for (std::size_t p = 0; p < parts; ++p) sorted.rows.push_back(made.rows[i * parts + p]);
  }
  sorted.bars.title += ", largest first";
  // Every row belongs to a bar.
  for (const std::uint32_t row : sorted.rows)
    if (row != kNoRow) sorted.order.push_back(row);
  made = std::move(sorted);
}

std::optional<PlottedBars> of_rows(const analysis::ChartSpec& plot, const Table& table, scene::Theme theme,
                                   std::span<const std::uint32_t> order) {
  const auto part = table.find_role(plot.x);
  const auto value = table.find_role(plot.y);
  if (!part || !value) return std::nullopt;
  const std::vector<Cell> known = parts_in(table, *part);
  PlottedBars made;
  made.bars.unit = unit_of(table.columns()[*value]);
  made.bars.title = plot.title;
  for (const Cell& name : known)
    made.bars.parts.push_back({words_of_part(plot.x, name), row_color(plot.x, name, made.bars.parts.size(), theme)});
  // Levels of utilization are ordered, so higher levels have stronger colors.
  if (plot.x == ColumnRole::utilization)
    for (std::size_t p = 0; p < made.bars.parts.size(); ++p)
      made.bars.parts[p].color =
          charts::heat_color((static_cast<double>(p) + 0.5) / static_cast<double>(made.bars.parts.size()), theme);
  std::map<std::vector<std::int64_t>, std::size_t> index;
  std::map<std::string, std::size_t> named;
  std::vector<double> sums;
  for (const std::uint32_t r : rows_in(table, order)) {
    const auto p = static_cast<std::size_t>(std::ranges::find(known, table.at(r, *part)) - known.begin());
    const auto at = index.try_emplace(plot.whole.empty() ? key_of(table, r) : std::vector<std::int64_t>(), kNone).first;
    // Files of several jobs may have the same rank. If the bar already has this part, start another bar.
    if (at->second == kNone || made.rows[at->second * known.size() + p] != kNoRow) {
      at->second = made.bars.rows.size();
      std::string name = plot.whole.empty() ? name_of(table, r, *part) : std::string(plot.whole);
      if (const std::size_t nth = ++named[name]; nth > 1) name += fmt::format(" ({})", nth);
      made.bars.rows.push_back({name, std::vector<double>(known.size(), 0), "", {}});
      made.rows.insert(made.rows.end(), known.size(), kNoRow);
      sums.push_back(0);
    }
    const double figure = table.at(r, *value).number();
    made.bars.rows[at->second].values[p] = figure;
    if (figure > 0) sums[at->second] += figure;
    made.rows[at->second * known.size() + p] = r;
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    made.bars.rows[i].figure = charts::format_value(sums[i], made.bars.unit);
  // A heat map shows all ranks, in order.
  const bool all_ranks = table.find_role(ColumnRole::rank) && sums.size() > kMostRankBars;
  if (order.empty() && sums.size() > kMostInOrder && !all_ranks) sort_by(sums, known.size(), made);
  // A single part has no legend, so name it in the title.
  if (known.size() == 1) made.bars.title += ": " + made.bars.parts[0].name;
  if (made.bars.rows.size() == 1) add_values(made.bars);
  if (made.bars.rows.size() > kMostBars && !all_ranks) {
    made.bars.left_out = made.bars.rows.size() - kMostBars;
    made.bars.rows.resize(kMostBars);
    made.rows.resize(kMostBars * known.size());
  }
  return made;
}

struct Uses {
  std::vector<std::size_t> columns{};
  std::vector<const analysis::ChartSeries*> series{};
};

/// Returns the declared columns. Where a chart shows the use of time, omits columns without time.
Uses uses_of(const analysis::ChartSpec& plot, const Table& table) {
  Uses uses;
  for (const analysis::ChartSeries& series : plot.series) {
    const auto found = std::ranges::find_if(table.columns(), [&](const Column& column) {
      return column.role == series.role && column.reference == series.reference;
    });
    if (found == table.columns().end()) continue;
    const auto column = static_cast<std::size_t>(found - table.columns().begin());
    if (plot.kind != analysis::ChartKind::columns && !has_time(table, column)) continue;
    uses.columns.push_back(column);
    uses.series.push_back(&series);
  }
  return uses;
}

std::optional<PlottedBars> of_columns(const analysis::ChartSpec& plot, const Table& table, scene::Theme theme,
                                      std::span<const std::uint32_t> order) {
  const auto [columns, uses] = uses_of(plot, table);
  std::vector<std::uint32_t> rows = rows_in(table, order);
  rows.resize(std::min(rows.size(), most_bars(table)));
  auto bars = bars_of(table, rows, columns, theme);
  if (!bars) return std::nullopt;
  PlottedBars made{std::move(*bars)};
  made.bars.title = plot.title.empty() ? std::string_view(table.title) : plot.title;
  for (std::size_t p = 0; p < uses.size(); ++p) {
    made.bars.parts[p].color = part_color(uses[p]->role, theme, uses[p]->reference);
    if (!uses[p]->label.empty()) made.bars.parts[p].name = uses[p]->label;
  }
  if (plot.kind == analysis::ChartKind::time_use && rows.size() == 1) add_values(made.bars);
  for (const std::uint32_t row : rows) made.rows.insert(made.rows.end(), columns.size(), row);
  return made;
}

}  // namespace

std::optional<PlottedBars> part_bars(const analysis::ChartSpec& chart, const Table& table, scene::Theme theme,
                                     std::span<const std::uint32_t> order) {
  return chart.kind == analysis::ChartKind::rows ? of_rows(chart, table, theme, order)
                                                 : of_columns(chart, table, theme, order);
}

std::optional<charts::LineChart> part_areas(const analysis::ChartSpec& chart, const Table& table, scene::Theme theme) {
  auto [columns, uses] = uses_of(chart, table);
  for (std::size_t c = 0; c < table.columns().size() && chart.series.empty(); ++c)
    if (table.columns()[c].role == ColumnRole::part) columns.push_back(c);
  auto areas = areas_of(table, columns, theme);
  if (!areas) return std::nullopt;
  areas->title = table.title;
  // Only one of several files is drawn, so show its name.
  const auto file = first_of(table, ColumnKind::text);
  if (file && !(table.at(0, *file) == table.at(table.rows() - 1, *file)))
    areas->title += " · " + std::string(table.at(0, *file).text());
  for (std::size_t s = 0; s < uses.size(); ++s)
    areas->series[s].color = part_color(uses[s]->role, theme, uses[s]->reference);
  if (areas->y_unit == charts::Unit::share) areas->y_range = {0.0, 1.0};
  // The last value holds until its end.
  if (const auto end = table.find_role(ColumnRole::end))
    for (charts::LineSeries& series : areas->series)
      series.points.push_back({table.at(table.rows() - 1, *end).number(), series.points.back().y});
  return areas;
}

std::string_view detail_of(const analysis::ChartSpec& chart, std::string_view part) {
  const auto found = std::ranges::find_if(
      chart.series, [&](const analysis::ChartSeries& series) { return part.starts_with(series.label); });
  return found == chart.series.end() ? std::string_view() : found->detail;
}

}  // namespace warpscope::plots
