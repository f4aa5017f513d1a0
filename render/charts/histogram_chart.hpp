#pragma once
// A histogram with vertical lines that mark statistics of the values. The drawing's items are indices into `bins`.
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

/// A labeled vertical line: "median 12.3 ms".
struct HistogramMark {
  std::string name;
  double value = 0;
  bool strong = false;  ///< solid: the most important mark
};

struct HistogramChart {
  std::vector<HistogramBin> bins;  ///< ascending
  Unit unit = Unit::duration;      ///< unit of bounds and marks
  std::vector<HistogramMark> marks;
  std::optional<std::pair<double, double>> spread;  ///< mean - sigma and mean + sigma, drawn as a bar on the axis
  std::string spread_name;                          ///< "σ 1.20 ms"
  Color color = 0;
  std::string title{};                  ///< measured quantity, if not shown elsewhere
  std::optional<std::uint32_t> chosen;  ///< bin in the accent color
};

/// Mark labels take up to four lines above the bars; labels that do not fit appear only in the tooltip. Non-empty bins
/// are at least 2 px high and 1 px wide.
[[nodiscard]] Drawing draw(const HistogramChart& chart, float width, float height, const ChartStyle& style);

}  // namespace warpscope::charts
