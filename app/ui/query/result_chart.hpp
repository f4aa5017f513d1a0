#pragma once
// Charts of a query's result: which kinds its columns allow, and the chart of two columns. The columns go into a small
// table of their own, of which render/plots makes the same charts as of analyses.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "render/plots/analysis_plot.hpp"

namespace warpscope::ui {

enum class ResultChart : std::uint8_t { none, bars, lines, histogram, pie };
inline constexpr std::array<std::string_view, 5> kResultCharts{"No chart", "Bars", "Lines", "Histogram", "Pie"};

struct ChartChoice {
  ResultChart kind = ResultChart::none;
  std::size_t x = 0;      ///< names the items; of lines: the horizontal axis
  std::size_t value = 0;  ///< a column of numbers

  friend bool operator==(const ChartChoice&, const ChartChoice&) = default;
};

/// True if the column can have this part in a chart of this kind. A histogram has no x.
[[nodiscard]] bool can_be_x(const Table& rows, std::size_t column, ResultChart kind);
[[nodiscard]] bool can_be_value(const Table& rows, std::size_t column);
/// Returns the choice with the first suitable columns; kind none if there are none.
[[nodiscard]] ChartChoice choice_for(const Table& rows, ResultChart kind);
/// Returns the chart that says most about a result; kind none if that is the table itself.
[[nodiscard]] ChartChoice suggested_chart(const Table& rows);

struct ChartedResult {
  plots::AnalysisDrawing drawing;
  std::vector<Table> tables;           ///< of `drawing`
  std::vector<std::uint32_t> of_rows;  ///< rows of the result by row of the first table; empty: none

  [[nodiscard]] std::optional<std::size_t> row_of(std::uint32_t item) const;
  [[nodiscard]] std::optional<std::uint32_t> item_of(std::size_t row) const;
};

/// `order`: the rows as sorted by the user; empty: not sorted. O(rows · log rows).
[[nodiscard]] ChartedResult chart_of(const Table& rows, const ChartChoice& choice, scene::Theme theme,
                                     const std::vector<std::uint32_t>& order);

}  // namespace warpscope::ui
