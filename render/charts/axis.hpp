#pragma once
// Scales and ticks. Maps values to pixels, linearly or logarithmically, and chooses round values for the labels, with
// units. Steps are 1, 2 or 5 times a power of ten (in binary units for bytes); steps longer than 5 s are round numbers
// of seconds, minutes or hours.
#include <cstdint>
#include <string>
#include <vector>

#include "render/charts/drawing.hpp"

namespace warpscope::charts {

enum class Unit : std::uint8_t {
  duration,  ///< ns
  bytes,
  byte_rate,  ///< bytes per second; decimal units
  share,      ///< fraction of one
  count,
  number,
};

/// Maps values to px. A logarithmic scale requires low > 0; values at or below zero map to its low end.
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
  std::string label;  ///< empty: tick without a label (between powers of ten)
};

/// Formats a single value as elsewhere in the window: "12.3 ms", "3.41 KiB", "81.3 %", "1 234".
[[nodiscard]] std::string format_value(double value, Unit unit);
/// Formats `value` as part of a group whose largest value is `greatest`. Bandwidths in the group share a unit.
[[nodiscard]] std::string format_value_among(double value, Unit unit, double greatest);
/// Formats one of several values that are `resolution` apart, with enough digits to distinguish durations.
[[nodiscard]] std::string format_value_at(double value, Unit unit, double resolution);
/// Returns the smallest round tick step for `unit` that is at least `least`; for counts, at least 1.
[[nodiscard]] double nice_step(double least, Unit unit);
/// Returns about `most` ticks between low and high; neighboring labels have enough digits to differ.
[[nodiscard]] std::vector<AxisTick> linear_ticks(double low, double high, int most, Unit unit);
/// Returns ticks at powers of ten, with at most `most` labels (every Nth power if needed) and unlabeled ticks in
/// between where they fit. Same as linear_ticks for ranges of less than one decade.
[[nodiscard]] std::vector<AxisTick> log_ticks(double low, double high, int most, Unit unit);
[[nodiscard]] std::vector<AxisTick> ticks_of(const Scale& scale, int most, Unit unit);

/// Returns the width of a vertical axis with these ticks, including labels and a gap.
[[nodiscard]] float label_width(const std::vector<AxisTick>& ticks, const ChartStyle& style);
/// Adds grid lines across `plot` at the ticks of a vertical scale, and labels to its left.
void add_vertical_axis(Drawing& drawing, const Scale& scale, const std::vector<AxisTick>& ticks, const Box& plot,
                       const ChartStyle& style);
/// Adds tick marks and labels below `plot`; omits labels that would touch and shifts labels that would extend beyond
/// the drawing.
void add_horizontal_axis(Drawing& drawing, const Scale& scale, const std::vector<AxisTick>& ticks, const Box& plot,
                         const ChartStyle& style, bool grid = false);

}  // namespace warpscope::charts
