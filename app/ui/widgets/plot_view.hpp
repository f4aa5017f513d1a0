#pragma once
// Shows charts of analysis tables (render/plots) with their tooltips, on all pages.
#include <string_view>

#include "app/ui/widgets/chart_view.hpp"
#include "core/base/table.hpp"
#include "render/plots/analysis_plot.hpp"

namespace warpscope::ui {

/// Draws the chart at the cursor, like ChartView::draw(). The item under the pointer is an item of `plot`; in a heat
/// map of rows, a cell.
ChartView::Answer draw_plot(const AppContext& app, ChartView& view, const char* id, ImVec2 size, scene::Color ground,
                            const plots::AnalysisDrawing& plot, std::optional<std::uint32_t> marked = std::nullopt);

/// Describes what is under the pointer: the values of all curves, a part of a bar, or a row of `table`. `name`: of the
/// item; "": the row's. `further`: last line; over a chart with a time axis, `over_time` instead.
void plot_tooltip(const AppContext& app, const ChartView& view, const plots::AnalysisDrawing& plot, const Table& table,
                  const ChartView::Answer& over, std::string_view name, std::string_view further,
                  std::string_view over_time = {});

}  // namespace warpscope::ui
