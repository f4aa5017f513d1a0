#pragma once
// A legend. Each row has a swatch, a name and right-aligned columns of numbers. The legend never covers the chart. An
// extra line shows the number of rows that do not fit.
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

struct LegendRow {
  std::string label;
  Color color = 0;
  std::vector<std::string> figures;  ///< right-aligned columns after the label
  std::uint32_t item = 0;            ///< item of the chart, for its hit region
  bool keep = false;                 ///< always shown, even if other rows are omitted
};

/// Returns the height of a row.
[[nodiscard]] float legend_row_height(const ChartStyle& style);
/// Returns the width needed to show all labels in full.
[[nodiscard]] float legend_width(const std::vector<LegendRow>& rows, const ChartStyle& style,
                                 const std::vector<std::string>& headings = {});
/// Fills `box` from the top and returns the y below the last row. Labels are shortened to fit; columns of numbers are
/// dropped from the left if labels would become too short. `headings` are the column headings in the first line; may be
/// empty.
float add_legend(Drawing& drawing, const std::vector<LegendRow>& rows, const Box& box, const ChartStyle& style,
                 const std::vector<std::string>& headings = {});

struct LegendEntry {
  std::string label;
  Color color = 0;
};
/// Adds one or more lines of swatches with names, for charts with few colors; returns the y below them. If they do not
/// fit in `most_lines`, the number of omitted entries is shown at the end ("+ 12").
float add_legend_line(Drawing& drawing, const std::vector<LegendEntry>& entries, const Box& box,
                      const ChartStyle& style, int most_lines = 2);

/// Adds the title at the top left of `box`. Returns the remaining area for a legend: next to the title, below it if the
/// title takes most of the line, or all of `box` without a title.
[[nodiscard]] Box add_title(Drawing& drawing, std::string_view title, Box box, const ChartStyle& style);
/// Adds a title above a chart, and a legend if there are several colors; returns the y below them.
float add_heading(Drawing& drawing, std::string_view title, const std::vector<LegendEntry>& entries, const Box& box,
                  const ChartStyle& style, int most_lines = 2);

}  // namespace warpscope::charts
