#include "app/ui/query/result_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "core/analysis/shared/kernel_totals.hpp"
#include "core/base/format.hpp"
#include "core/base/table_format.hpp"
#include "render/plots/bar_labels.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kMostParts = 12;   // of a pie; the rest is one part
constexpr std::size_t kMostNamed = 200;  // rows that get bars without being asked
constexpr std::size_t kLeastForHistogram = 30;
constexpr std::size_t kMostCurves = 24;
constexpr double kBins = 40;

bool is_label(const Column& column) { return column.kind == ColumnKind::text || column.kind == ColumnKind::identifier; }

/// False for numbers such as slice.id, which say nothing to readers.
bool distinguishes(const Column& column) {
  return column.kind == ColumnKind::text || (is_label(column) && column.role != ColumnRole::none);
}

bool is_empty(const Table& rows, std::size_t column) {
  for (std::size_t row = 0; row < std::min(rows.rows(), kMostNamed); ++row)
    if (!rows.at(row, column).missing()) return false;
  return true;
}

/// True if the values of the first rows rise (or fall) in the order of the rows. `strictly`: none repeats.
bool is_sorted(const Table& rows, std::size_t column, SortOrder order, bool strictly) {
  bool differs = false;
  for (std::size_t row = 1; row < std::min(rows.rows(), kMostNamed); ++row) {
    const Cell before = rows.at(row - 1, column);
    const Cell after = rows.at(row, column);
    if (before.missing() || after.missing()) return false;
    const double rise = (after.number() - before.number()) * (order == SortOrder::ascending ? 1 : -1);
    if (rise < 0 || (strictly && rise == 0)) return false;
    differs |= rise > 0;
  }
  return differs;
}

/// Returns the column that names rows best: one of names rather than another text, a text rather than a number.
std::optional<std::size_t> naming_column(const Table& rows) {
  using enum ColumnRole;
  for (const ColumnRole role : {name, kernel, op, annotation, step})
    if (const auto column = rows.find_role(role); column && !is_empty(rows, *column)) return column;
  for (const ColumnKind kind : {ColumnKind::text, ColumnKind::identifier})
    for (std::size_t c = 0; c < rows.columns().size(); ++c)
      if (rows.columns()[c].kind == kind && !is_empty(rows, c)) return c;
  return std::nullopt;
}

bool are_distinct(const Table& rows, std::size_t column) {
  std::set<std::string, std::less<>> seen;
  for (std::size_t row = 0; row < std::min(rows.rows(), kMostNamed); ++row)
    if (!seen.emplace(rows.at(row, column).text()).second) return false;
  return true;
}

/// Returns the rows in the order of `order` with x as text, then the value. If names repeat, other names follow x.
ChartedResult named_values(const Table& rows, const ChartChoice& choice, const std::vector<std::uint32_t>& order) {
  const Column& x = rows.columns()[choice.x];
  std::vector<std::size_t> from{choice.x};
  if (x.kind == ColumnKind::text && !are_distinct(rows, choice.x))
    for (std::size_t c = 0; c < rows.columns().size(); ++c)
      if (distinguishes(rows.columns()[c]) && c != choice.x && c != choice.value) from.push_back(c);
  from.push_back(choice.value);
  std::vector<Column> columns;
  for (const std::size_t c : from) columns.push_back(rows.columns()[c]);
  columns.back().role = ColumnRole::none;
  if (x.kind != ColumnKind::text) columns.front() = Column(x.name, ColumnKind::text);
  ChartedResult made;
  made.of_rows = plots::rows_in(rows, order);
  Table table("chart", "", std::move(columns));
  const ColumnFormat format = choose_format(rows, choice.x);
  std::vector<Cell> cells;
  for (const std::uint32_t row : made.of_rows) {
    cells.clear();
    for (const std::size_t c : from) cells.push_back(rows.at(row, c));
    std::string word;  // of a number
    if (!cells.front().missing() && x.kind == ColumnKind::identifier)
      word = plots::word_of(x, cells.front());
    else if (!cells.front().missing())
      word = format_cell(format, cells.front()) + (format.unit.empty() ? "" : ' ' + format.unit);
    if (x.kind != ColumnKind::text) cells.front() = Cell(word);
    if (rows.at(row, choice.x).missing()) cells.front() = Cell("NULL");
    table.add_row(cells);
  }
  made.tables.push_back(std::move(table));
  return made;
}

ChartedResult bars(const Table& rows, const ChartChoice& choice, scene::Theme theme,
                   const std::vector<std::uint32_t>& order) {
  ChartedResult made = named_values(rows, choice, order);
  // Identifiers, such as ranks and steps, and sorted rows keep their order; others start with the largest.
  const bool keeps = !order.empty() || rows.columns()[choice.x].kind != ColumnKind::text;
  const std::vector<std::uint32_t> own = keeps ? plots::rows_in(made.tables[0]) : std::vector<std::uint32_t>();
  const std::size_t value = made.tables[0].columns().size() - 1;
  made.drawing = plots::plot_of(analysis::ChartSpec{}, made.tables, 0, theme, own, value);
  return made;
}

ChartedResult pie(const Table& rows, const ChartChoice& choice, scene::Theme theme) {
  ChartedResult all = named_values(rows, choice, sorted_order(rows, choice.value, SortOrder::descending));
  if (rows.rows() > kMostParts) {
    const std::vector<Column>& columns = all.tables[0].columns();
    Table table("chart", "", {columns.front(), columns.back()});
    double rest = 0;
    for (std::uint32_t row = 0; row < all.tables[0].rows(); ++row) {
      const Cell value = all.tables[0].at(row, columns.size() - 1);
      if (row + 1 < kMostParts)
        table.add_row({all.tables[0].at(row, 0), value});
      else if (value.number() > 0)
        rest += value.number();
    }
    table.add_row({analysis::kOthers, rest});
    all.tables[0] = std::move(table);
    all.of_rows.resize(kMostParts - 1);
  }
  const analysis::ChartSpec spec{.kind = analysis::ChartKind::pie, .whole = rows.columns()[choice.value].shown()};
  all.drawing = plots::plot_of(spec, all.tables, 0, theme);
  return all;
}

/// One curve per set of rows with equal labels before the x column.
ChartedResult lines(const Table& rows, const ChartChoice& choice, scene::Theme theme) {
  ChartedResult made;
  std::vector<std::size_t> from;
  std::vector<Column> columns;
  for (std::size_t c = 0; c < choice.x; ++c)
    if (is_label(rows.columns()[c]) && c != choice.value) from.push_back(c);
  from.push_back(choice.x);
  from.push_back(choice.value);
  for (const std::size_t c : from) {
    columns.push_back(rows.columns()[c]);
    if (!is_label(columns.back())) columns.back().role = ColumnRole::none;
  }
  Table shown("chart", "", columns);  // in tooltips
  columns[from.size() - 2].kind = ColumnKind::time;
  Table table("chart", "", std::move(columns));
  std::vector<Cell> cells;
  for (const std::uint32_t row : sorted_order(rows, choice.x, SortOrder::ascending)) {
    if (rows.at(row, choice.x).missing()) continue;
    cells.clear();
    for (const std::size_t c : from) cells.push_back(rows.at(row, c));
    table.add_row(cells);
    shown.add_row(cells);
  }
  auto chart = plots::lines_of(table, from.size() - 1, theme);
  made.tables.push_back(std::move(shown));
  if (!chart) return made;
  chart->x_unit = plots::unit_of(rows.columns()[choice.x]);
  if (chart->series.size() > kMostCurves) {
    made.drawing.words = "More than 24 curves: add conditions, or group by fewer columns.";
    return made;
  }
  for (auto& series : chart->series) {
    series.steps = false;
    if (chart->series.size() == 1) series.name = rows.columns()[choice.value].shown();
  }
  made.drawing.chart = std::move(*chart);
  return made;
}

ChartedResult histogram(const Table& rows, const ChartChoice& choice, scene::Theme theme) {
  std::vector<double> values;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    if (const Cell cell = rows.at(row, choice.value); !cell.missing() && std::isfinite(cell.number()))
      values.push_back(cell.number());
  ChartedResult made;
  if (values.empty()) return made;
  std::ranges::sort(values);
  const Column& of = rows.columns()[choice.value];
  const bool whole = of.kind != ColumnKind::real && of.kind != ColumnKind::share;
  double width = (values.back() - values.front()) / kBins;
  if (whole) width = std::max(1.0, std::ceil(width));
  if (!(width > 0)) width = 1;
  Column begin("from", of.unit, of.kind, ColumnRole::bin_start);
  Column end("to", of.unit, of.kind, ColumnRole::bin_end);
  Table bins("bins", "", {std::move(begin), std::move(end), Column("count", ColumnRole::count)});
  for (auto at = values.begin(); at != values.end();) {
    const double low = values.front() + width * static_cast<double>(bins.rows());
    const auto next = std::find_if(at, values.end(), [&](double value) { return value >= low + width; });
    bins.add_row({low, low + width, static_cast<std::int64_t>(next - at)});
    at = next;
  }
  double sum = 0;
  for (const double value : values) sum += value;
  Table marks("marks", "",
              {Column("median", of.kind, ColumnRole::median), Column("mean", of.kind, ColumnRole::mean),
               Column("p95", of.kind, ColumnRole::p95), Column("max", of.kind, ColumnRole::max)});
  const auto quantile = [&](double share) {
    return values[static_cast<std::size_t>(share * double(values.size() - 1))];
  };
  marks.add_row({quantile(0.5), sum / static_cast<double>(values.size()), quantile(0.95), values.back()});
  auto chart = plots::histogram_of(bins, marks, theme);
  made.tables = {std::move(bins), std::move(marks)};
  if (!chart) return made;
  chart->unit = plots::unit_of(of);
  chart->title = "Count by " + plots::measure_of(of);
  made.drawing.rows = plots::rows_in(made.tables[0]);
  made.drawing.chart = std::move(*chart);
  return made;
}

}  // namespace

bool can_be_value(const Table& rows, std::size_t column) {
  return column < rows.columns().size() && is_figure(rows.columns()[column].kind);
}

bool can_be_x(const Table& rows, std::size_t column, ResultChart kind) {
  if (column >= rows.columns().size()) return false;
  return kind == ResultChart::lines ? is_figure(rows.columns()[column].kind) : kind != ResultChart::histogram;
}

ChartChoice choice_for(const Table& rows, ResultChart kind) {
  ChartChoice choice{kind};
  if (kind == ResultChart::none || rows.rows() == 0) return {};
  auto x = kind == ResultChart::lines ? plots::first_of(rows, ColumnKind::time) : naming_column(rows);
  if (!x && kind == ResultChart::lines) x = plots::first_of(rows, ColumnKind::identifier);
  using enum ColumnKind;
  // The value that the result is about: the one that rows are sorted by, or the first that is no identifier and no
  // time.
  std::optional<std::size_t> value;
  for (std::size_t c = 0; c < rows.columns().size() && kind != ResultChart::lines && !value; ++c)
    if (const ColumnKind of = rows.columns()[c].kind;
        is_figure(of) && of != identifier && of != time && c != x && is_sorted(rows, c, SortOrder::descending, false))
      value = c;
  if (!value) value = plots::first_of(rows, {duration, share, bytes, real, integer});
  for (const ColumnKind other : {time, identifier})
    if (!value || value == x) value = plots::first_of(rows, other);
  if (!value) return {};
  choice.value = *value;
  for (std::size_t c = 0; !x && c < rows.columns().size(); ++c)
    if (c != choice.value && can_be_x(rows, c, kind) &&
        (kind != ResultChart::lines || is_sorted(rows, c, SortOrder::ascending, true)))
      x = c;
  if (kind == ResultChart::histogram) return choice;
  if (!x || *x == choice.value) return {};
  choice.x = *x;
  return choice;
}

ChartChoice suggested_chart(const Table& rows) {
  using enum ColumnKind;
  const bool figure = plots::first_of(rows, {duration, share, bytes, real, integer}).has_value();
  if (rows.rows() < 2 || !figure) return {};
  const bool slices = rows.find_role(ColumnRole::duration) && rows.find_role(ColumnRole::start);
  if (!slices && plots::first_of(rows, time)) return choice_for(rows, ResultChart::lines);
  if (naming_column(rows) && rows.rows() <= kMostNamed) return choice_for(rows, ResultChart::bars);
  return rows.rows() >= kLeastForHistogram ? choice_for(rows, ResultChart::histogram) : ChartChoice{};
}

std::optional<std::size_t> ChartedResult::row_of(std::uint32_t item) const {
  const auto row = drawing.row_of(item);
  return row && *row < of_rows.size() ? std::optional<std::size_t>(of_rows[*row]) : std::nullopt;
}

std::optional<std::uint32_t> ChartedResult::item_of(std::size_t row) const {
  const auto found = std::ranges::find(of_rows, row);
  return found == of_rows.end() ? std::nullopt : drawing.item_of(static_cast<std::size_t>(found - of_rows.begin()));
}

ChartedResult chart_of(const Table& rows, const ChartChoice& choice, scene::Theme theme,
                       const std::vector<std::uint32_t>& order) {
  switch (choice.kind) {
    case ResultChart::bars:
      return bars(rows, choice, theme, order);
    case ResultChart::lines:
      return lines(rows, choice, theme);
    case ResultChart::histogram:
      return histogram(rows, choice, theme);
    case ResultChart::pie:
      return pie(rows, choice, theme);
    case ResultChart::none:
      break;
  }
  return {};
}

}  // namespace warpscope::ui
