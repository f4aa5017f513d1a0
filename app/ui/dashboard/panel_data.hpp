#pragma once
// Builds a chart from analysis tables by mapping rows to chart items and colors. All functions are pure: panels draw
// their results, and tests compare them with the tables.
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

/// Contents of a panel.
struct PanelData {
  std::variant<std::monostate, charts::PieChart, charts::StackedBars, charts::LineChart, charts::HeatMap,
               charts::HistogramChart>
      chart;
  std::size_t table = 0;            ///< index of the chart's table
  std::vector<std::uint32_t> rows;  ///< row of each item of the drawing in that table (pies, bars, histograms)
  std::string note;                 ///< note of that table
  analysis::ChartSpec declared{};   ///< chart declared by the analysis for that table

  /// True if there is no chart.
  [[nodiscard]] bool empty() const { return std::holds_alternative<std::monostate>(chart); }
};

/// Returns the spec for a panel in the layout.
[[nodiscard]] const PanelSpec& spec_of(const PanelState& panel);
[[nodiscard]] std::string title_of(const PanelState& panel);
/// Returns the default file name for a saved image: "job-histogram-Forward.svg".
[[nodiscard]] std::string picture_name(std::string_view profile, const PanelState& panel);
/// Returns a panel's analysis request. `default_k`, `kernel_rules`: from the settings.
[[nodiscard]] AnalysisRequest request_of(const PanelState& panel, const analysis::Scope& scope, std::int64_t default_k,
                                         const PanelSources& sources = {}, std::string_view kernel_rules = {});
/// Returns the panel's `k`, or `default_k` if not set.
[[nodiscard]] std::int64_t k_of(const PanelState& panel, std::int64_t default_k);

/// Lays out the chart at the given size; returns an empty drawing if there is no chart.
[[nodiscard]] charts::Drawing draw_panel_chart(const PanelData& data, float width, float height,
                                               const charts::ChartStyle& style);
/// Returns the chart's axis titles, for saved images.
[[nodiscard]] charts::AxisTitles axes_of(const PanelState& panel, const PanelData& data);

[[nodiscard]] PanelData make_panel_data(const PanelState& panel, const std::vector<Table>& tables, scene::Theme theme,
                                        const PanelSources& sources = {});

}  // namespace warpscope::ui
