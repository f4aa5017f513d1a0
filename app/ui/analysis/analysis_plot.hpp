#pragma once
// Which chart shows a table of an analysis. Those that need to be told are in a list; of all others the columns decide.
#include <string_view>
#include <variant>
#include <vector>

#include "app/ui/table_chart.hpp"

namespace warpscope::ui {

/// Nothing where a chart would tell less than the table.
using AnalysisChart =
    std::variant<std::monostate, charts::StackedBars, charts::LineChart, charts::HistogramChart, charts::HeatMap>;

struct AnalysisDrawing {
  AnalysisChart chart;
  std::size_t bars_of_row = 1;  ///< items of the drawing that stand for one row of the table; 0: none do
};

/// The chart of tables[index]. O(rows), of which bars take the first kMostBars.
[[nodiscard]] AnalysisDrawing plot_of(std::string_view analysis, const std::vector<Table>& tables, std::size_t index,
                                      scene::Theme theme);
inline constexpr std::size_t kMostBars = 200;

}  // namespace warpscope::ui
