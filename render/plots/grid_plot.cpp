#include "render/plots/grid_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "render/plots/table_chart.hpp"

namespace warpscope::plots {
namespace {

/// Shortens the names below the columns: "ProfilerStep#12" → "12" if all names have the same prefix.
std::vector<std::string> short_names(const std::vector<std::string_view>& names) {
  std::size_t same = names.empty() ? 0 : names.front().size();
  for (const std::string_view name : names) {
    std::size_t alike = 0;
    while (alike < std::min(same, name.size()) && name[alike] == names.front()[alike]) ++alike;
    same = alike;
  }
  // Keep numbers whole.
  while (same > 0 && names.front()[same - 1] >= '0' && names.front()[same - 1] <= '9') --same;
  std::vector<std::string> kept;
  for (const std::string_view name : names)
    kept.emplace_back(names.size() > 1 && name.size() > same ? name.substr(same) : name);
  return kept;
}

}  // namespace

std::optional<Grid> grid_of(const analysis::ChartSpec& spec, const Table& table) {
  const auto rank = table.find_role(ColumnRole::rank);
  const auto across = table.find_role(spec.x);
  const auto value = table.find_role(spec.y);
  if (!rank || !across || !value) return std::nullopt;
  std::map<std::int64_t, std::size_t> ranks;
  std::map<std::string_view, std::size_t> columns;
  std::vector<std::string_view> names;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ranks.try_emplace(table.at(row, *rank).integer());
    const std::string_view name = table.at(row, *across).text();
    if (columns.try_emplace(name, columns.size()).second) names.push_back(name);
  }
  Grid grid;
  for (auto& [number, place] : ranks) {
    place = grid.map.rows.size();
    grid.map.rows.push_back(fmt::format("rank {}", number));
  }
  grid.map.columns = columns.size();
  grid.map.values.assign(ranks.size() * columns.size(), std::nan(""));
  grid.cells.assign(grid.map.values.size(), kNoCell);
  double most = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double figure = table.at(row, *value).number();
    if (std::isnan(figure)) continue;
    const std::size_t cell =
        ranks[table.at(row, *rank).integer()] * columns.size() + columns[table.at(row, *across).text()];
    double& sum = grid.map.values[cell];
    sum = std::isnan(sum) ? figure : sum + figure;
    grid.cells[cell] = static_cast<std::uint32_t>(row);
    most = std::max(most, sum);
  }
  if (most <= 0) return std::nullopt;
  grid.map.high = most;
  grid.map.unit = unit_of(table.columns()[*value]);
  grid.map.square_root = grid.map.unit == charts::Unit::duration;
  grid.map.title = spec.title.empty() ? measure_of(table.columns()[*value]) : std::string(spec.title);
  grid.map.column_names = short_names(names);
  grid.map.x_end = static_cast<double>(columns.size());
  return grid;
}

}  // namespace warpscope::plots
