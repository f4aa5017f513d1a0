#pragma once
// Distributions side by side: a box from lower to upper quartile with a line at the median, whiskers, and outliers as
// dots. Items of the drawing are indices into `boxes`.
#include <optional>
#include <string>
#include <vector>

#include "render/charts/axis.hpp"

namespace warpscope::charts {

struct BoxStatistics {
  std::string name;
  double low = 0;  ///< end of the lower whisker
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double high = 0;  ///< end of the upper whisker
  std::optional<double> mean;
  std::vector<double> outliers;
  Color color = 0;
};

struct BoxPlot {
  std::vector<BoxStatistics> boxes;
  Unit unit = Unit::duration;
  bool log = false;  ///< logarithmic if all values are above zero
  std::optional<std::pair<double, double>> range;
};

[[nodiscard]] Drawing draw_box_plot(const BoxPlot& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
