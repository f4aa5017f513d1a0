#include "render/plots/step_bars.hpp"

#include <algorithm>
#include <array>

#include "render/plots/table_chart.hpp"

namespace warpscope::plots {

std::optional<StepBars> step_bars(const std::vector<Table>& tables, scene::Theme theme) {
  const auto steps = std::ranges::find_if(tables, [](const Table& table) {
    return table.find_role(ColumnRole::step) && table.find_role(ColumnRole::duration);
  });
  if (steps == tables.end() || steps->rows() == 0 || steps->rows() >= kLeastInHistogram) return std::nullopt;
  const auto duration = steps->find_role(ColumnRole::duration);
  std::vector<std::uint32_t> rows = rows_in(*steps);
  auto bars = bars_of(*steps, rows, std::array{*duration}, theme);
  if (!bars) return std::nullopt;
  bars->title = "Time of each step";
  // A single row has no label to distinguish it, so use the step's name.
  if (rows.size() == 1) bars->rows[0].name = steps->at(0, *steps->find_role(ColumnRole::step)).text();
  bars->parts[0].color = scene::family_color(scene::Family::annotation, theme);
  return StepBars{{std::move(*bars), std::move(rows)}, static_cast<std::size_t>(steps - tables.begin())};
}

}  // namespace warpscope::plots
