#include "render/plots/time_use.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "render/charts/colors.hpp"
#include "render/plots/bar_rows.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {
namespace {

using trace::Family;

struct Use {
  std::string_view column;
  std::string_view name;  ///< in the legend
  std::optional<Family> family;
  std::string_view analysis;
};
constexpr std::string_view kIdle = "idle";
constexpr std::array kUses{
    Use{"compute", "compute", Family::computation, "gpu_kernel_breakdown"},
    Use{"exposed communication", "exposed communication", Family::communication, "comm_comp_overlap"},
    Use{"memory", "memory", Family::memory, "memory_operations"},
    Use{"host wait", "idle: host wait", Family::op, "idle_time_breakdown"},
    Use{"stream wait", "idle: stream wait", Family::sync, "idle_time_breakdown"},
    Use{"kernel wait", "idle: kernel wait", Family::runtime, "idle_time_breakdown"},
    Use{"unknown", "idle: unknown", std::nullopt, "idle_time_breakdown"},
    Use{"no launch record", "idle: no launch record", Family::annotation, "idle_time_breakdown"},
    Use{kIdle, kIdle, std::nullopt, "idle_time_breakdown"},
};

scene::Color color_of(const Use& use, scene::Theme theme) {
  return use.family ? scene::family_color(*use.family, theme) : charts::rest_color(theme);
}

bool takes_time(const Table& table, std::size_t column) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at(row, column).number() > 0) return true;
  return false;
}

}  // namespace

std::optional<PlottedBars> time_use_bars(const Table& table, scene::Theme theme, std::span<const std::uint32_t> order) {
  if (table.id != "time-by-rank" || table.rows() == 0) return std::nullopt;
  std::vector<std::size_t> columns;
  std::vector<const Use*> uses;
  bool causes = false;
  for (const Use& use : kUses) {
    const auto column = table.find_column(use.column);
    if (!column || (use.column == kIdle && causes) || !takes_time(table, *column)) continue;
    causes = causes || use.name.starts_with("idle: ");
    columns.push_back(*column);
    uses.push_back(&use);
  }
  std::vector<std::uint32_t> rows(order.begin(), order.end());
  if (rows.empty()) {
    rows.resize(table.rows());
    std::iota(rows.begin(), rows.end(), 0u);
  }
  rows.resize(std::min(rows.size(), kMostBars));
  auto bars = bars_of(table, rows, columns, theme);
  if (!bars) return std::nullopt;
  PlottedBars made{std::move(*bars)};
  made.bars.title = table.title;
  for (std::size_t p = 0; p < uses.size(); ++p)
    made.bars.parts[p] = {std::string(uses[p]->name), color_of(*uses[p], theme)};
  if (rows.size() == 1)
    // The legend has room for what each part is.
    for (std::size_t p = 0; p < uses.size(); ++p)
      made.bars.parts[p].name += "  " + charts::format_value(made.bars.rows[0].values[p], made.bars.unit);
  for (const std::uint32_t row : rows) made.rows.insert(made.rows.end(), columns.size(), row);
  return made;
}

std::optional<charts::LineChart> time_use_areas(const Table& table, scene::Theme theme) {
  if (table.id != "time-by-class") return std::nullopt;
  std::vector<std::size_t> columns;
  std::vector<const Use*> uses;
  for (const Use& use : kUses)
    if (const auto column = table.find_column(use.column); column && takes_time(table, *column)) {
      columns.push_back(*column);
      uses.push_back(&use);
    }
  auto areas = areas_of(table, columns, theme);
  if (!areas) return std::nullopt;
  areas->title = table.title;
  areas->y_range = {0.0, 1.0};
  for (std::size_t s = 0; s < uses.size(); ++s) areas->series[s].color = color_of(*uses[s], theme);
  // The last share holds until its end.
  if (const auto end = table.find_column("end"); end && table.rows() > 0)
    for (charts::LineSeries& series : areas->series)
      series.points.push_back({table.at(table.rows() - 1, *end).number(), series.points.back().y});
  return areas;
}

std::string_view analysis_of_time_use(std::string_view part) {
  const auto found = std::ranges::find_if(kUses, [&](const Use& use) { return part.starts_with(use.name); });
  return found == kUses.end() ? std::string_view() : found->analysis;
}

}  // namespace warpscope::plots
