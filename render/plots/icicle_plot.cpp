#include "render/plots/icicle_plot.hpp"

#include <algorithm>

#include "core/base/parse_number.hpp"
#include "core/trace/string_table.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {

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
    const auto hash = stable_hash(name);
    chart.nodes.push_back({std::string(name),
                           static_cast<std::uint32_t>(std::max<std::int64_t>(0, table.at(row, *depth).integer())),
                           value, scene::slice_color(scene::Family::op, hash, theme)});
    any = any || value > 0;
  }
  return any ? std::optional(std::move(chart)) : std::nullopt;
}

}  // namespace warpscope::plots
