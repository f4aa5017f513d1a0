#include "render/plots/roofline_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "render/plots/table_chart.hpp"

namespace warpscope::plots {

namespace {

std::vector<charts::Roof> roofs_in(const std::vector<Table>& tables) {
  std::vector<charts::Roof> roofs;
  for (const Table& table : tables) {
    const auto memory = table.find_role(ColumnRole::byte_rate);
    const auto compute = table.find_role(ColumnRole::flop_rate);
    if (!memory || !compute || table.find_role(ColumnRole::intensity)) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      std::string name;
      for (std::size_t c = 0; c < table.columns().size(); ++c)
        if (table.columns()[c].kind == ColumnKind::text)
          name += (name.empty() ? "" : ", ") + std::string(table.at(row, c).text());
      const double rate = table.at(row, *compute).number();
      roofs.push_back({fmt::format("{}: {:g} TFLOP/s", name, rate), table.at(row, *memory).number(), rate});
    }
    break;
  }
  return roofs;
}

}  // namespace

std::optional<charts::Roofline> roofline_of(const Table& table, const std::vector<Table>& tables, scene::Theme theme) {
  const auto intensity = table.find_role(ColumnRole::intensity);
  const auto rate = table.find_role(ColumnRole::flop_rate);
  const auto time = table.find_role(ColumnRole::total);
  if (!intensity || !rate || !time) return std::nullopt;
  const auto dims = table.find_role(ColumnRole::dims);
  charts::Roofline chart{
      .title = "TFLOP/s versus FLOP per byte; dot area shows GPU time", .dots = {}, .roofs = roofs_in(tables)};
  chart.by_memory = scene::family_color(scene::Family::memory, theme);
  chart.by_compute = scene::family_color(scene::Family::computation, theme);
  double ridge = 0;
  for (const charts::Roof& roof : chart.roofs)
    if (roof.memory > 0) ridge = std::max(ridge, roof.compute / roof.memory);
  bool any = false;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double x = table.at(row, *intensity).number();
    std::string name(row_name(table, row));
    if (dims) name += ' ' + std::string(table.at(row, *dims).text());
    chart.dots.push_back({std::move(name), x, table.at(row, *rate).number(), table.at(row, *time).number(),
                          x > ridge ? chart.by_compute : chart.by_memory});
    any = any || (x > 0 && chart.dots.back().rate > 0);
  }
  return any ? std::optional(std::move(chart)) : std::nullopt;
}

}  // namespace warpscope::plots
