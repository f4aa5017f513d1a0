#pragma once
// Scales and their ticks: values to pixels, linear or logarithmic, and round numbers at which to write the value with
// its unit. Steps are 1, 2 or 5 times a power of ten (of two for bytes; 1, 2, 5, 10, 15, 30 of seconds and minutes
// beyond a minute).
#include <cstdint>
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

enum class Unit : std::uint8_t {
  duration,  ///< ns
  bytes,
  byte_rate,  ///< bytes a second; decimal units
  share,      ///< fraction of one
  count,
  number,
};

/// Value to px. A logarithmic one needs 0 < low; values at or below zero stand at its low end.
struct Scale {
  double low = 0;
  double high = 1;
  float from = 0;  ///< px of `low`
  float to = 1;    ///< px of `high`; less than `from` for an upward axis
  bool log = false;

  [[nodiscard]] float px(double value) const;
  [[nodiscard]] double value(float px) const;
};

struct AxisTick {
  double value = 0;
  std::string label;  ///< empty: a mark without words (between powers of ten)
};

/// A value by itself, as every figure of the window: "12.3 ms", "3.41 KiB", "81.3 %", "1 234".
[[nodiscard]] std::string format_value(double value, Unit unit);
/// The same of a value beside others of which `greatest` is the greatest: bandwidths then share a unit.
[[nodiscard]] std::string format_value_among(double value, Unit unit, double greatest);
/// The same of a value among others that are `resolution` apart: with the digits that tell durations so close from each
/// other.
[[nodiscard]] std::string format_value_at(double value, Unit unit, double resolution);
/// The least step for `unit` that is no less than `least`; counts do not go below 1.
[[nodiscard]] double nice_step(double least, Unit unit);
/// Between low and high, about `most` of them; labels have as many digits as it takes to tell neighbours apart.
[[nodiscard]] std::vector<AxisTick> linear_ticks(double low, double high, int most, Unit unit);
/// Powers of ten (labelled, all or every n-th so that there are at most `most`), with marks between where they fit; for
/// less than a decade as linear_ticks.
[[nodiscard]] std::vector<AxisTick> log_ticks(double low, double high, int most, Unit unit);
[[nodiscard]] std::vector<AxisTick> ticks_of(const Scale& scale, int most, Unit unit);

struct AxisOptions {
  Unit unit = Unit::number;
  std::string title;  ///< what is measured; may be empty
};

/// Room that a vertical axis with these ticks takes at its left: labels and a gap.
[[nodiscard]] float label_width(const std::vector<AxisTick>& ticks, const ChartStyle& style);
/// Grid lines across `plot` and labels left of it, at the ticks of a vertical scale.
void add_vertical_axis(Drawing& drawing, const Scale& scale, const std::vector<AxisTick>& ticks, const Box& plot,
                       const ChartStyle& style);
/// Marks and labels below `plot`; labels that would touch each other or leave the drawing are left out or moved in.
void add_horizontal_axis(Drawing& drawing, const Scale& scale, const std::vector<AxisTick>& ticks, const Box& plot,
                         const ChartStyle& style, bool grid = false);

}  // namespace warpscope::charts
