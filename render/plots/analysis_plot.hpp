#pragma once
// Which chart shows a table of an analysis. Analyses declare charts (chart_spec.hpp); otherwise the columns decide.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "render/charts/figure.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {

/// Nothing where a chart would tell less than the table.
using AnalysisChart =
    std::variant<std::monostate, charts::StackedBars, charts::LineChart, charts::HistogramChart, charts::HeatMap>;

struct AnalysisDrawing {
  AnalysisChart chart;
  std::vector<std::uint32_t> rows{};   ///< of the table, of each item of the drawing; points of curves have none
  std::vector<std::uint32_t> order{};  ///< of all rows of the table, as the chart has them; empty: the table's own
  std::string words{};                 ///< in place of a chart that would be empty

  /// The row that an item stands for.
  [[nodiscard]] std::optional<std::size_t> row_of(std::uint32_t item) const;
  /// The first item that stands for a row.
  [[nodiscard]] std::optional<std::uint32_t> item_of(std::size_t row) const;
};

/// The chart of tables[index], with what it measures as its title. Of many rows bars take those that are worth most, at
/// most kMostBars; with an `order` of the rows, which the user chose, its first ones. O(rows · log rows).
[[nodiscard]] AnalysisDrawing plot_of(std::string_view analysis, const std::vector<Table>& tables, std::size_t index,
                                      scene::Theme theme, std::span<const std::uint32_t> order = {});

/// The titles of its axes, for a figure; what the chart has for its title goes to the axis that it is of.
[[nodiscard]] charts::AxisTitles take_axis_titles(AnalysisChart& chart);

[[nodiscard]] charts::Drawing draw(const AnalysisChart& chart, float width, float height,
                                   const charts::ChartStyle& style);
/// px at 1× that all rows of a bar chart take; of other charts `otherwise`.
[[nodiscard]] float bars_height(const AnalysisChart& chart, float otherwise);

}  // namespace warpscope::plots
