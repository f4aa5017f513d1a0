#pragma once
// From an analysis' tables to a chart: which rows become which parts, in which colours. Pure; the panel draws what
// comes back, and a test compares it with the table.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/ui/dashboard/dashboard_layout.hpp"
#include "app/ui/dashboard/panel_sources.hpp"
#include "app/ui/dashboard/panel_spec.hpp"
#include "app/ui/model/analysis_results.hpp"
#include "core/analysis/request/chart_spec.hpp"
#include "render/charts/figure.hpp"
#include "render/charts/heat_map.hpp"
#include "render/charts/histogram_chart.hpp"
#include "render/charts/line_chart.hpp"
#include "render/charts/pie.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope::ui {

/// What a panel shows.
struct PanelData {
  std::variant<std::monostate, charts::PieChart, charts::StackedBars, charts::LineChart, charts::HeatMap,
               charts::HistogramChart>
      chart;
  std::size_t table = 0;            ///< index of the table it is of
  std::vector<std::uint32_t> rows;  ///< of that table: row of each item of the drawing (pies, bars, histograms)
  std::string note;                 ///< of that table: what the reader must know
  analysis::ChartSpec declared{};   ///< the chart that the analysis declares for that table

  /// Nothing to show: the panel says what is missing.
  [[nodiscard]] bool empty() const { return std::holds_alternative<std::monostate>(chart); }
};

/// The spec of a panel of a layout.
[[nodiscard]] const PanelSpec& spec_of(const PanelState& panel);
[[nodiscard]] std::string title_of(const PanelState& panel);
/// What a picture of it is called unless the user says otherwise: "job-histogram-Forward.svg".
[[nodiscard]] std::string picture_name(std::string_view profile, const PanelState& panel);
/// What a panel asks for. `default_k`, `kernel_rules`: of the settings.
[[nodiscard]] AnalysisRequest request_of(const PanelState& panel, const analysis::Scope& scope, std::int64_t default_k,
                                         const PanelSources& sources = {}, std::string_view kernel_rules = {});
/// `k` as the panel has it.
[[nodiscard]] std::int64_t k_of(const PanelState& panel, std::int64_t default_k);

/// The chart, as large as asked for; empty if there is none.
[[nodiscard]] charts::Drawing draw_panel_chart(const PanelData& data, float width, float height,
                                               const charts::ChartStyle& style);
/// What the axes of its chart measure, for a figure.
[[nodiscard]] charts::AxisTitles axes_of(const PanelState& panel, const PanelData& data);

[[nodiscard]] PanelData make_panel_data(const PanelState& panel, const std::vector<Table>& tables, scene::Theme theme,
                                        const PanelSources& sources = {});

}  // namespace warpscope::ui
