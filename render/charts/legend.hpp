#pragma once
// The list of what the colours mean, with the figures beside it: a swatch, the name and right-aligned columns. It never
// lies on a chart; rows that do not fit are counted in a line of their own.
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

struct LegendRow {
  std::string label;
  Color color = 0;
  std::vector<std::string> figures;  ///< right-aligned columns after the label
  std::uint32_t item = 0;            ///< of the chart, for its region
  bool keep = false;                 ///< not among those that are only counted where there is little room
};

/// Height of a row.
[[nodiscard]] float legend_row_height(const ChartStyle& style);
/// Width that shows all labels whole.
[[nodiscard]] float legend_width(const std::vector<LegendRow>& rows, const ChartStyle& style,
                                 const std::vector<std::string>& headings = {});
/// Fills `box` from its top and returns the y below the last row. Labels are cut where they do not fit; columns of
/// figures are left out from the left when the labels would lose too much.
/// `headings`: what the columns of figures are, in a first line; may be empty.
float add_legend(Drawing& drawing, const std::vector<LegendRow>& rows, const Box& box, const ChartStyle& style,
                 const std::vector<std::string>& headings = {});

struct LegendEntry {
  std::string label;
  Color color = 0;
};
/// One line or more of swatches with names from the left, for charts with few colours; returns the y below. Entries
/// that would need more than `most_lines` are counted at the end ("+ 12").
float add_legend_line(Drawing& drawing, const std::vector<LegendEntry>& entries, const Box& box,
                      const ChartStyle& style, int most_lines = 2);

/// What a chart measures, at the top left of `box`; the box that is left for a legend: beside it, or below where the
/// title takes most of the line. `box` itself if there is no title.
[[nodiscard]] Box add_title(Drawing& drawing, std::string_view title, Box box, const ChartStyle& style);
/// A title and what the colours mean where there is more than one, above a chart; the y below.
float add_heading(Drawing& drawing, std::string_view title, const std::vector<LegendEntry>& entries, const Box& box,
                  const ChartStyle& style, int most_lines = 2);

}  // namespace warpscope::charts
