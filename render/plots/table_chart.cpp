#include "render/plots/table_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/format.hpp"
#include "render/charts/colors.hpp"
#include "render/plots/bar_labels.hpp"

namespace warpscope::plots {
namespace {

/// A statistic that a histogram marks.
struct Mark {
  ColumnRole role;
  const char* name;
  bool strong;
};
constexpr std::array kMarks{Mark{ColumnRole::median, "median", true}, Mark{ColumnRole::mean, "mean", false},
                            Mark{ColumnRole::p95, "p95", false}, Mark{ColumnRole::p99, "p99", false},
                            Mark{ColumnRole::max, "max", false}};

/// Returns the cells before column `begin` as a name: "algo-1", "rank 3 · GPU 3".
std::string curve_name(const Table& table, std::size_t row, std::size_t begin) {
  std::string name;
  for (std::size_t c = 0; c < begin; ++c)
    if (const Cell cell = table.at(row, c); !cell.missing())
      name += (name.empty() ? "" : " · ") + word_of(table.columns()[c], cell);
  return name;
}

/// True if two rows are equal in all columns before `end`.
bool agree_before(const Table& table, std::size_t a, std::size_t b, std::size_t end) {
  for (std::size_t c = 0; c < end; ++c)
    if (!(table.at(a, c) == table.at(b, c))) return false;
  return true;
}

/// Creates one curve per set of rows that are equal in all columns before the time column. Each value holds until the
/// next one or until its own end.
std::vector<charts::LineSeries> curves_of(const Table& table, std::size_t begin, std::size_t value) {
  std::map<std::string, std::size_t> latest;  // curve by name
  std::vector<charts::LineSeries> series;
  std::vector<std::uint32_t> firsts;  // row of each curve
  std::vector<double> ends;           // end of the last row of each curve
  const auto end = table.find_role(ColumnRole::end);
  std::size_t now = 0;
  // Time only increases within a curve. If files of several jobs have the same rank, time restarts; start another
  // curve.
  const auto goes_on = [&](std::size_t curve, double at) { return !(at < series[curve].points.back().x); };
  for (std::uint32_t r = 0; r < table.rows(); ++r) {
    const double at = table.at(r, begin).number();
    // Make names only where a new curve may start; most rows continue the previous one.
    if (r == 0 || !agree_before(table, r - 1, r, begin) || !goes_on(now, at)) {
      const auto [known, fresh] = latest.try_emplace(curve_name(table, r, begin), series.size());
      if (fresh || !goes_on(known->second, at)) {
        known->second = series.size();
        series.push_back({"", 0, {}, true});
        firsts.push_back(r);
        ends.push_back(std::nan(""));
      }
      now = known->second;
    }
    std::vector<charts::LinePoint>& points = series[now].points;
    if (ends[now] < at) points.push_back({ends[now], std::nan("")});  // no row: a gap
    points.push_back({at, table.at(r, value).number()});
    if (end) ends[now] = table.at(r, *end).number();
  }
  std::vector<std::string> names = bar_labels(table, firsts);
  for (std::size_t s = 0; s < series.size(); ++s) {
    if (end) series[s].points.push_back({ends[s], std::nan("")});
    series[s].name = std::move(names[s]);
  }
  return series;
}

}  // namespace

charts::Unit unit_of(const Column& column) {
  switch (column.kind) {
    case ColumnKind::duration:
    case ColumnKind::time:
      return charts::Unit::duration;
    case ColumnKind::bytes:
      return column.unit.ends_with("/s") ? charts::Unit::byte_rate : charts::Unit::bytes;
    case ColumnKind::share:
      return charts::Unit::share;
    case ColumnKind::integer:
    case ColumnKind::identifier:
      return charts::Unit::count;
    case ColumnKind::real:
    case ColumnKind::text:
      return charts::Unit::number;
  }
  return charts::Unit::number;
}

std::optional<std::size_t> first_of(const Table& table, ColumnKind kind) {
  const auto found = std::ranges::find(table.columns(), kind, &Column::kind);
  if (found == table.columns().end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns().begin());
}

std::optional<std::size_t> first_of(const Table& table, std::initializer_list<ColumnKind> kinds) {
  for (const ColumnKind kind : kinds)
    if (const auto found = first_of(table, kind)) return found;
  return std::nullopt;
}

std::vector<std::uint32_t> rows_in(const Table& table, std::span<const std::uint32_t> order) {
  if (!order.empty()) return {order.begin(), order.end()};
  std::vector<std::uint32_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

std::optional<charts::LineChart> lines_of(const Table& table, std::optional<std::size_t> wanted, scene::Theme theme) {
  const auto begin = first_of(table, ColumnKind::time);
  const auto value = curve_column(table, wanted);
  if (!begin || !value || table.rows() == 0) return std::nullopt;
  charts::LineChart lines;
  lines.title = measure_of(table.columns()[*value]);
  lines.series = curves_of(table, *begin, *value);
  for (std::size_t s = 0; s < lines.series.size(); ++s)
    lines.series[s].color = charts::series_color(static_cast<std::uint32_t>(s), theme);
  lines.y_unit = unit_of(table.columns()[*value]);
  if (lines.y_unit == charts::Unit::share) lines.y_range = {0.0, 1.0};
  return lines;
}

std::optional<std::size_t> curve_column(const Table& table, std::optional<std::size_t> wanted) {
  if (wanted) return wanted;
  return first_of(table,
                  {ColumnKind::share, ColumnKind::real, ColumnKind::bytes, ColumnKind::duration, ColumnKind::integer});
}

std::optional<charts::LineChart> areas_of(const Table& table, std::span<const std::size_t> columns,
                                          scene::Theme theme) {
  const auto begin = first_of(table, ColumnKind::time);
  if (!begin || columns.empty() || table.rows() == 0) return std::nullopt;
  charts::LineChart areas;
  areas.stacked = true;
  areas.y_unit = unit_of(table.columns()[columns.front()]);
  for (std::size_t s = 0; s < columns.size(); ++s)
    areas.series.push_back(
        {table.columns()[columns[s]].shown(), charts::series_color(static_cast<std::uint32_t>(s), theme), {}, true});
  for (std::size_t row = 0; row < table.rows() && agree_before(table, 0, row, *begin); ++row)
    for (std::size_t s = 0; s < columns.size(); ++s)
      areas.series[s].points.push_back({table.at(row, *begin).number(), table.at(row, columns[s]).number()});
  return areas;
}

std::optional<charts::HistogramChart> histogram_of(const Table& bins, const Table& statistics, scene::Theme theme) {
  const auto begin = bins.find_role(ColumnRole::bin_start);
  const auto end = bins.find_role(ColumnRole::bin_end);
  const auto count = bins.find_role(ColumnRole::count);
  if (!begin || !end || !count || bins.rows() == 0) return std::nullopt;
  charts::HistogramChart chart;
  chart.color = scene::family_color(scene::Family::annotation, theme);
  for (std::size_t r = 0; r < bins.rows(); ++r)
    chart.bins.push_back({bins.at(r, *begin).number(), bins.at(r, *end).number(), bins.at(r, *count).number()});
  const auto figure = [&](ColumnRole role) {
    const auto column = statistics.find_role(role);
    return column && statistics.rows() > 0 ? statistics.at(0, *column).number() : std::nan("");
  };
  if (!statistics.find_role(ColumnRole::median)) return chart;
  for (const Mark& mark : kMarks)
    if (const double value = figure(mark.role); !std::isnan(value))
      chart.marks.push_back({mark.name, value, mark.strong});
  const double mean = figure(ColumnRole::mean);
  if (const double sigma = figure(ColumnRole::stddev); sigma > 0 && !std::isnan(mean)) {
    chart.spread = {mean - sigma, mean + sigma};
    chart.spread_name = "σ " + charts::format_value(sigma, charts::Unit::duration);
  }
  return chart;
}

std::optional<charts::StackedBars> bars_of(const Table& table, std::span<const std::uint32_t> rows,
                                           std::span<const std::size_t> parts, scene::Theme theme) {
  if (rows.empty() || parts.empty()) return std::nullopt;
  charts::StackedBars bars;
  bars.unit = unit_of(table.columns()[parts.front()]);
  bars.left_out = table.rows() - rows.size();
  for (std::size_t p = 0; p < parts.size(); ++p)
    bars.parts.push_back(
        {table.columns()[parts[p]].shown(), charts::series_color(static_cast<std::uint32_t>(p), theme)});
  std::vector<std::string> labels = bar_labels(table, rows);
  std::vector<double> sums;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    charts::BarRow bar;
    bar.name = std::move(labels[i]);
    sums.push_back(0);
    for (const std::size_t part : parts) {
      bar.values.push_back(table.at(rows[i], part).number());
      if (bar.values.back() > 0) sums.back() += bar.values.back();
    }
    bars.rows.push_back(std::move(bar));
  }
  const double greatest = *std::ranges::max_element(sums);
  for (std::size_t i = 0; i < sums.size(); ++i)
    bars.rows[i].figure = charts::format_value_among(sums[i], bars.unit, greatest);
  return bars;
}

std::string measure_of(const Column& column) {
  std::string name = column.shown();
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  const bool counted = column.kind == ColumnKind::integer || column.kind == ColumnKind::real;
  return counted && !column.unit.empty() ? name + " (" + column.unit + ")" : name;
}

std::string_view row_name(const Table& table, std::size_t row) {
  const auto column = first_of(table, ColumnKind::text);
  return column ? table.at(row, *column).text() : std::string_view();
}

std::string row_facts(const Table& table, std::size_t row) {
  std::string facts;
  const auto bin_begin = table.find_role(ColumnRole::bin_start);
  const auto bin_end = table.find_role(ColumnRole::bin_end);
  const bool bin = bin_begin && bin_end;
  const double width = bin ? table.at(row, *bin_end).number() - table.at(row, *bin_begin).number() : 0;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    const Column& column = table.columns()[c];
    const Cell cell = table.at(row, c);
    if (cell.missing() || !is_figure(column.kind)) continue;
    if (column.role == ColumnRole::depth || column.role == ColumnRole::parent_row) continue;
    std::string name = column.shown();
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    facts += (facts.empty() ? "" : "\n") + name + ": " +
             charts::format_value_at(cell.number(), unit_of(column), bin ? width : HUGE_VAL);
  }
  if (const auto count = table.find_role(ColumnRole::count); bin && count) {
    double all = 0;
    for (std::size_t r = 0; r < table.rows(); ++r) all += table.at(r, *count).number();
    if (all > 0) facts += "\nShare: " + format_share(table.at(row, *count).number() / all);
  }
  return facts;
}

}  // namespace warpscope::plots
