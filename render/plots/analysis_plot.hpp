#pragma once
// Chooses the chart of an analysis table. Analyses can declare charts (chart_spec.hpp); otherwise, the columns
// determine the chart.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/analysis/request/chart_spec.hpp"
#include "render/charts/box_plot.hpp"
#include "render/charts/heat_map.hpp"
#include "render/charts/icicle.hpp"
#include "render/charts/pie.hpp"
#include "render/charts/roofline.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {

/// std::monostate means that a chart would add nothing to the table.
using AnalysisChart =
    std::variant<std::monostate, charts::PieChart, charts::StackedBars, charts::LineChart, charts::HistogramChart,
                 charts::HeatMap, charts::Roofline, charts::Icicle, charts::BoxPlot>;

struct AnalysisDrawing {
  AnalysisChart chart{};
  std::vector<std::uint32_t> rows{};   ///< table row of each item of the drawing, or cell of a heat map; points of
                                       ///< curves have none
  std::vector<std::uint32_t> order{};  ///< all rows of the table, in chart order; empty: the table's own order
  std::string words{};                 ///< shown instead of an empty chart
  std::size_t table = 0;               ///< index of the table of `rows`

  /// Returns the row that an item shows.
  [[nodiscard]] std::optional<std::size_t> row_of(std::uint32_t item) const;
  /// Returns the first item that shows a row.
  [[nodiscard]] std::optional<std::uint32_t> item_of(std::size_t row) const;
};

/// Returns the chart of tables[index], with its measure as the title. At most kMostBars rows get a bar: the largest, or
/// the first in `order` if the user sorted the table. More than 32 per-rank bars or curves become a heat map of all
/// ranks. O(rows · log rows).
[[nodiscard]] AnalysisDrawing plot_of(std::string_view analysis, const std::vector<Table>& tables, std::size_t index,
                                      scene::Theme theme, std::span<const std::uint32_t> order = {},
                                      std::optional<std::size_t> figure = {});

/// Same, but with the given chart instead of the one declared by the analysis.
[[nodiscard]] AnalysisDrawing plot_of(const analysis::ChartSpec& chart, const std::vector<Table>& tables,
                                      std::size_t index, scene::Theme theme, std::span<const std::uint32_t> order = {},
                                      std::optional<std::size_t> figure = {});

[[nodiscard]] charts::Drawing draw(const AnalysisChart& chart, float width, float height,
                                   const charts::ChartStyle& style);
/// Returns the height needed for all rows of a bar chart or all levels of an icicle, in px at 1×; `otherwise` for other
/// charts.
[[nodiscard]] float bars_height(const AnalysisChart& chart, float otherwise);

}  // namespace warpscope::plots
