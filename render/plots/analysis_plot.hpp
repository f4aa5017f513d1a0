#pragma once
// Which chart shows a table of an analysis. Those that need to be told are in a list; of all others the columns decide.
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "render/plots/table_chart.hpp"

namespace warpscope::plots {

/// Nothing where a chart would tell less than the table.
using AnalysisChart =
    std::variant<std::monostate, charts::StackedBars, charts::LineChart, charts::HistogramChart, charts::HeatMap>;

struct AnalysisDrawing {
  AnalysisChart chart;
  std::size_t bars_of_row = 1;        ///< items of the drawing that stand for one row of the table; 0: none do
  std::vector<std::uint32_t> rows{};  ///< of the table, of each item, where bars are of several rows; else empty

  /// The row that an item stands for.
  [[nodiscard]] std::optional<std::size_t> row_of(std::uint32_t item) const;
};

/// The chart of tables[index]. O(rows), of which bars take the first kMostBars.
[[nodiscard]] AnalysisDrawing plot_of(std::string_view analysis, const std::vector<Table>& tables, std::size_t index,
                                      scene::Theme theme);
inline constexpr std::size_t kMostBars = 200;

[[nodiscard]] charts::Drawing draw(const AnalysisChart& chart, float width, float height,
                                   const charts::ChartStyle& style);
/// px at 1× that all rows of a bar chart take; of other charts `otherwise`.
[[nodiscard]] float bars_height(const AnalysisChart& chart, float otherwise);

}  // namespace warpscope::plots
