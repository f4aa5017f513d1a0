#pragma once
// How often values fall between two bounds, with the statistics of the values as lines across the bars. Items of the
// drawing are indices into `bins`.
#include <optional>
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct HistogramBin {
  double begin = 0;
  double end = 0;
  double count = 0;
};

/// A vertical line with a name: "median 12.3 ms".
struct HistogramMark {
  std::string name;
  double value = 0;
  bool strong = false;  ///< solid: the one to look at first
};

struct HistogramChart {
  std::vector<HistogramBin> bins;  ///< ascending
  Unit unit = Unit::duration;      ///< of bounds and marks
  std::vector<HistogramMark> marks;
  std::optional<std::pair<double, double>> spread;  ///< mean - sigma and mean + sigma: a bar on the axis
  std::string spread_name;                          ///< "σ 1.20 ms"
  bool log_x = false;                               ///< bounds at or below zero then start at the least positive one
  bool log_y = false;
  Color color = 0;
  std::string title{};                  ///< what is counted by what, where that is not said elsewhere
  std::optional<std::uint32_t> chosen;  ///< bin that is drawn in the accent colour
};

/// Names of marks stand above the bars in as many lines as it takes (at most four); what finds no room is left to the
/// tooltip. A bin that holds anything is at least 2 px high and 1 px wide.
[[nodiscard]] Drawing draw_histogram(const HistogramChart& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
