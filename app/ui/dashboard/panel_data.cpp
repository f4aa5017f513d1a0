#include "app/ui/dashboard/panel_data.hpp"

#include <algorithm>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"

namespace warpscope::ui {
const PanelSpec& spec_of(const PanelState& panel) {
  const PanelSpec* spec = panel.made() ? nullptr : find_panel_spec(panel.id);
  return spec != nullptr ? *spec : made_histogram_spec();
}

std::string title_of(const PanelState& panel) {
  if (!panel.made()) return std::string(spec_of(panel).title);
  return panel.annotation + (panel.gpu ? " on the GPU" : " on the CPU");
}

AnalysisRequest request_of(const PanelState& panel, const analysis::Scope& scope, std::string_view kernel_rules) {
  const PanelSpec& spec = spec_of(panel);
  AnalysisRequest request{std::string(spec.analysis), {}, scope};
  if (!spec.parameter.empty()) request.settings.emplace_back(spec.parameter, spec.value_of_parameter);
  if (panel.made()) {
    request.settings.emplace_back("name", panel.annotation);
    request.settings.emplace_back("side", panel.gpu ? "gpu" : "cpu");
  }
  const analysis::Analysis* of = analysis::find_analysis(spec.analysis);
  if (of != nullptr && analysis::has_parameter(*of, analysis::kKernelClassParameter.name))
    analysis::append_kernel_rules(request.settings, kernel_rules);
  return request;
}

PanelData make_panel_data(const PanelState& panel, const std::vector<Table>& tables, scene::Theme theme) {
  PanelData data;
  if (tables.empty()) return data;
  const PanelSpec& spec = spec_of(panel);
  const auto found = std::ranges::find(tables, spec.table, &Table::id);
  const Table& table = found != tables.end() ? *found : tables.front();
  data.chart = spec.chart;
  if (spec.chart.kind == analysis::ChartKind::automatic) data.chart = analysis::chart_of(spec.analysis, table.id);
  if (spec.chart.y != ColumnRole::none) data.chart.y = spec.chart.y;
  data.drawing = plots::plot_of(data.chart, tables, static_cast<std::size_t>(&table - tables.data()), theme);
  // Titles of heat maps list the outliers.
  std::visit(
      [](auto& chart) {
        if constexpr (!std::is_same_v<decltype(chart), charts::HeatMap&> && requires { chart.title; })
          chart.title.clear();
      },
      data.drawing.chart);
  // The bars of the top kernels do not show the percentages that the note explains.
  if (!std::holds_alternative<charts::StackedBars>(data.drawing.chart) || spec.chart.y == ColumnRole::none)
    data.note = table.note;
  return data;
}

std::string_view PanelData::part_of(std::uint32_t item) const {
  if (const auto* bars = std::get_if<charts::StackedBars>(&drawing.chart); bars != nullptr && bars->parts.size() > 1)
    return bars->parts[item % bars->parts.size()].name;
  if (const auto* map = std::get_if<charts::HeatMap>(&drawing.chart); map != nullptr && !map->column_names.empty())
    return map->column_names[item % map->columns];
  return {};
}

}  // namespace warpscope::ui
