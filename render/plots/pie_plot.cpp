#include "render/plots/pie_plot.hpp"

#include <algorithm>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "render/plots/name_labels.hpp"
#include "render/plots/row_color.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {
namespace {

/// Shares of the same rows relative to another total.
struct OtherShare {
  const Table* table = nullptr;
  std::size_t column = 0;
  std::string_view of{};  // heading
};

OtherShare other_share(const analysis::ChartSpec& spec, const std::vector<Table>& tables, const Table& of) {
  for (const analysis::ChartSeries& series : spec.series)
    if (const auto column = of.find_role(series.role)) return {&of, *column, series.label};
  for (const Table& table : tables)
    if (const auto column = table.find_role(ColumnRole::share_of_gpu_time); column && table.rows() == of.rows())
      return {&table, *column, "of GPU time"};
  return {};
}

}  // namespace

std::optional<charts::PieChart> pie_of(const analysis::ChartSpec& spec, const std::vector<Table>& tables,
                                       std::size_t index, scene::Theme theme) {
  const Table& table = tables[index];
  const auto name = spec.x != ColumnRole::none ? table.find_role(spec.x) : first_of(table, ColumnKind::text);
  const std::vector<Column>& columns = table.columns();
  const auto first = std::ranges::find_if(columns, [&](const Column& each) {
    return spec.y != ColumnRole::none ? each.role == spec.y : is_figure(each.kind);
  });
  if (!name || first == columns.end()) return std::nullopt;
  const Column& column = *first;
  const auto value = static_cast<std::size_t>(first - columns.begin());
  const charts::Unit unit = unit_of(column);
  double sum = 0;
  for (std::size_t r = 0; r < table.rows(); ++r) sum += std::max(0.0, table.at(r, value).number());
  if (!(sum > 0)) return std::nullopt;
  charts::PieChart pie;
  const OtherShare other = other_share(spec, tables, table);
  const auto names = table.find_role(ColumnRole::other_names);
  const bool kernels = holds_kernels(table, *name);
  const NameLabels labels = kernels ? NameLabels(table, *name) : NameLabels();
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const Cell cell = table.at(r, *name);
    const std::string_view text = cell.text();
    const double figure = std::max(0.0, table.at(r, value).number());
    charts::PiePart part{kernels ? labels.of(text) : std::string(text),
                         figure,
                         row_color(table.columns()[*name].role, cell, r, theme),
                         {},
                         is_rest(text)};
    if (const Cell further = part.rest && names ? table.at(r, *names) : Cell(); !further.missing())
      part.label += " (" + counted(static_cast<std::size_t>(further.integer()), "kernel", "kernels") + ")";
    part.figures.push_back(charts::format_value(table.at(r, value).number(), unit));
    if (other.table != nullptr) {
      const Cell share = other.table->at(r, other.column);
      part.figures.push_back(share.missing() ? std::string(kNoFigure) : format_share(share.number()));
    }
    part.figures.push_back(format_share(figure / sum));
    pie.parts.push_back(std::move(part));
  }
  if (other.table != nullptr) pie.headings = {"time", std::string(other.of), "of total"};
  pie.total = charts::format_value(sum, unit);
  pie.total_of = column.role == ColumnRole::samples ? std::string_view(column.shown()) : spec.whole;
  return pie;
}

}  // namespace warpscope::plots
