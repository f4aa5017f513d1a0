#pragma once
// Connects panels to analyses: what a panel asks for, and which chart of the answer it shows. All functions are pure:
// panels draw their results, and tests compare them with the tables.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/dashboard/panel_spec.hpp"
#include "app/ui/model/analysis_results.hpp"
#include "render/plots/analysis_plot.hpp"

namespace warpscope::ui {

/// A panel of the page.
struct PanelState {
  std::string id;  ///< id of a panel in panel_specs(); "histogram" if created by the user
  // Only for user-created histograms:
  std::string annotation{};  ///< family, name or part of a name
  bool gpu = false;          ///< annotations on the GPU instead of the host

  [[nodiscard]] bool made() const { return id == kMadeHistogram; }
  /// True if its values are the durations of slices, in bins.
  [[nodiscard]] bool histogram() const { return made() || id == "step_time"; }
  friend bool operator==(const PanelState&, const PanelState&) = default;

  static constexpr std::string_view kMadeHistogram = "histogram";
};

/// Contents of a panel.
struct PanelData {
  plots::AnalysisDrawing drawing{};  ///< without titles, because the panel has one
  std::string note{};                ///< note of the shown table
  analysis::ChartSpec chart{};

  /// True if there is no chart.
  [[nodiscard]] bool empty() const { return std::holds_alternative<std::monostate>(drawing.chart); }
  /// Returns the name of the part of the bar or of the heat map's row that an item shows; "" for other charts.
  [[nodiscard]] std::string_view part_of(std::uint32_t item) const;
};

/// Returns the spec for a panel of the page.
[[nodiscard]] const PanelSpec& spec_of(const PanelState& panel);
[[nodiscard]] std::string title_of(const PanelState& panel);
/// Returns a panel's analysis request. `kernel_rules`: from the settings.
[[nodiscard]] AnalysisRequest request_of(const PanelState& panel, const analysis::Scope& scope,
                                         std::string_view kernel_rules = {});

[[nodiscard]] PanelData make_panel_data(const PanelState& panel, const std::vector<Table>& tables, scene::Theme theme);

}  // namespace warpscope::ui
