#include "render/charts/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/base/byte_rate.hpp"
#include "core/base/format.hpp"

namespace warpscope::charts {

namespace {

constexpr double kSecond = 1e9;
constexpr double kMinute = 60 * kSecond;
constexpr double kHour = 60 * kMinute;
constexpr std::array<double, 3> kDecimalSteps{1, 2, 5};
constexpr std::array<double, 14> kLongSteps{10 * kSecond, 15 * kSecond, 20 * kSecond, 30 * kSecond, kMinute,
                                            2 * kMinute,  5 * kMinute,  10 * kMinute, 15 * kMinute, 30 * kMinute,
                                            kHour,        2 * kHour,    6 * kHour,    12 * kHour};

double decimal_step(double least) {
  double power = std::pow(10.0, std::floor(std::log10(least)));
  for (int decade = 0; decade < 2; ++decade, power *= 10)
    for (const double factor : kDecimalSteps)
      if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return power;
}

/// A unit shared by all labels of an axis.
struct LabelUnit {
  double size = 1;
  std::string name{};
};

LabelUnit label_unit(double most, Unit unit) {
  struct Named {
    double size;
    const char* name;
  };
  const auto pick = [most](std::span<const Named> units) {
    Named best = units.front();
    for (const Named& candidate : units)
      if (most >= candidate.size * (1 - 1e-9)) best = candidate;
    return LabelUnit{best.size, best.name};
  };
  static constexpr std::array<Named, 4> kTimes{{{1, " ns"}, {1e3, " µs"}, {1e6, " ms"}, {1e9, " s"}}};
  static constexpr std::array<Named, 5> kBytes{
      {{1, " B"}, {1024, " KiB"}, {1048576, " MiB"}, {1073741824, " GiB"}, {1099511627776, " TiB"}}};
  switch (unit) {
    case Unit::duration:
      return pick(kTimes);
    case Unit::bytes:
      return pick(kBytes);
    case Unit::byte_rate:
      return {static_cast<double>(rate_unit(most).size), std::string(" ") + rate_unit(most).name};
    case Unit::share:
      return {0.01, " %"};
    case Unit::count:
    case Unit::number:
      return {};
  }
  return {};
}

std::string tick_label(double value, double step, double most, Unit unit) {
  if (unit == Unit::duration && step >= kSecond && most >= 2 * kMinute)
    return value == 0 ? "0" : format_time_at(static_cast<Ns>(std::llround(value)), static_cast<Ns>(1000 * kSecond));
  const LabelUnit in = label_unit(most, unit);
  const double shown = value / in.size;
  const double shown_step = step / in.size;
  if (std::abs(shown) < shown_step * 1e-6) return unit == Unit::share ? "0 %" : "0";
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(shown_step) - 1e-9)), 0, 6);
  const double power = std::pow(10, decimals);
  if (std::abs(shown) * power > 9e15) return fmt::format("{:.3g}{}", shown, in.name);
  return format_decimal(std::llround(shown * power), decimals) + in.name;
}

double ticks_between(double low, double high, double step) {
  return std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9) + 1;
}

}  // namespace

float Scale::px(double v) const {
  double part = 0;
  if (log) {
    if (v > low) part = (std::log(v) - std::log(low)) / (std::log(high) - std::log(low));
  } else if (high > low) {
    part = (v - low) / (high - low);
  }
  return from + static_cast<float>(part) * (to - from);
}

double Scale::value(float at) const {
  const double part = to == from ? 0 : static_cast<double>((at - from) / (to - from));
  return log ? low * std::pow(high / low, part) : low + part * (high - low);
}

std::string format_value(double value, Unit unit) {
  if (!std::isfinite(value)) return std::string(kNoFigure);
  constexpr double kMost = 9e18;  // limit of an integer; differences between clocks that are years apart can exceed it
  value = std::clamp(value, -kMost, kMost);
  switch (unit) {
    case Unit::duration:
      return format_duration(static_cast<Ns>(std::llround(value)));
    case Unit::bytes:
      return format_bytes(std::llround(value));
    case Unit::byte_rate:
      return format_byte_rate(value);
    case Unit::share:
      return format_share(value);
    case Unit::count:
      return format_count(std::llround(value));
    case Unit::number:
      return std::abs(value - std::round(value)) < 1e-9 ? format_count(std::llround(value))
                                                        : fmt::format("{:.3g}", value);
  }
  return {};
}

std::string format_value_among(double value, Unit unit, double greatest) {
  return unit == Unit::byte_rate ? format_byte_rate(value, rate_unit(greatest)) : format_value(value, unit);
}

std::string format_value_at(double value, Unit unit, double resolution) {
  constexpr double kThreeDigits = 100;  // precision of format_value for any value
  if (unit != Unit::duration || !(resolution * kThreeDigits < std::abs(value))) return format_value(value, unit);
  return format_time_at(std::llround(value), std::max<Ns>(1, std::llround(resolution)));
}

double nice_step(double least, Unit unit) {
  if (!(least > 0) || !std::isfinite(least)) return 1;
  if (unit == Unit::count || unit == Unit::duration) least = std::max(least, 1.0);
  if (unit == Unit::duration && least > 5 * kSecond) {
    const auto found = std::ranges::lower_bound(kLongSteps, least);
    return found != kLongSteps.end() ? *found : 24 * kHour * decimal_step(std::max(1.0, least / (24 * kHour)));
  }
  if (unit == Unit::bytes) {
    if (least <= 1) return 1;
    const double power = std::pow(1024.0, std::floor(std::log2(least) / 10));
    const double step = decimal_step(least / power);
    return step > 512 ? 1024 * power : step * power;
  }
  return decimal_step(least);
}

std::vector<AxisTick> linear_ticks(double low, double high, int most, Unit unit) {
  std::vector<AxisTick> ticks;
  if (!(high > low) || most < 1) return ticks;
  double step = nice_step((high - low) / most, unit);
  // Show at least two labels: a single one, such as the 0 of an axis that ends at 41 %, does not reveal the scale.
  for (double parts = most; parts < 4 * most + 4 && ticks_between(low, high, step) < 2; parts *= 1.5)
    step = nice_step((high - low) / parts, unit);
  const double greatest = std::max(std::abs(low), std::abs(high));
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
    ticks.push_back({i * step, tick_label(i * step, step, greatest, unit)});
  return ticks;
}

std::vector<AxisTick> log_ticks(double low, double high, int most, Unit unit) {
  const double decades = std::log10(high / low);
  if (!(low > 0) || !(decades >= 1)) return linear_ticks(low, high, most, unit);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, most))));
  std::vector<AxisTick> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int lowest = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  for (int exponent = first; exponent <= std::ceil(std::log10(high)); ++exponent)
    for (int factor = 1; factor < 10; ++factor) {
      const double value = factor * std::pow(10.0, exponent);
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      if (factor > 1 && every > 1) continue;
      const bool labelled = factor == 1 && (exponent - lowest) % every == 0;
      const bool spare = factor == 1 || factor == 2 || factor == 5;
      const bool roomy = decades < 2 && most >= 6 && spare;
      ticks.push_back({value, labelled || roomy ? tick_label(value, value, value, unit) : std::string()});
    }
  return ticks;
}

std::vector<AxisTick> ticks_of(const Scale& scale, int most, Unit unit) {
  return scale.log ? log_ticks(scale.low, scale.high, most, unit) : linear_ticks(scale.low, scale.high, most, unit);
}

float label_width(const std::vector<AxisTick>& ticks, const ChartStyle& style) {
  float widest = 0;
  for (const AxisTick& tick : ticks) widest = std::max(widest, style.measure(tick.label, TextSize::small));
  return std::ceil(widest) + style.px(6);
}

void add_vertical_axis(Drawing& drawing, const Scale& scale, const std::vector<AxisTick>& ticks, const Box& plot,
                       const ChartStyle& style) {
  const float half = style.small_height / 2;
  // The lowest label must not overlap the labels of a horizontal axis.
  const float lowest = std::max(0.0f, plot.y1 + style.px(4) - style.small_height);
  for (const AxisTick& tick : ticks) {
    const float y = std::round(scale.px(tick.value));
    if (y < plot.y0 - 1 || y > plot.y1 + 1) continue;
    const bool labelled = !tick.label.empty();
    drawing.fill({plot.x0, y, plot.x1, y + style.px(1)}, scene::with_alpha(style.colors().line, labelled ? 0.8 : 0.35));
    if (!labelled) continue;
    drawing.write({plot.x0 - style.px(6), std::clamp(y - half, 0.0f, lowest)}, tick.label, style.colors().muted,
                  TextSize::small, Align::right);
  }
}

void add_horizontal_axis(Drawing& drawing, const Scale& scale, const std::vector<AxisTick>& ticks, const Box& plot,
                         const ChartStyle& style, bool grid) {
  drawing.fill({plot.x0, plot.y1, plot.x1, plot.y1 + style.px(1)}, style.colors().line);
  float taken = -1;
  for (const AxisTick& tick : ticks) {
    const float x = std::round(scale.px(tick.value));
    if (x < plot.x0 - 1 || x > plot.x1 + 1) continue;
    const bool labelled = !tick.label.empty();
    if (grid && labelled)
      drawing.fill({x, plot.y0, x + style.px(1), plot.y1}, scene::with_alpha(style.colors().line, 0.6));
    drawing.fill({x, plot.y1, x + style.px(1), plot.y1 + style.px(labelled ? 4 : 2)}, style.colors().muted);
    if (!labelled) continue;
    const float width = style.measure(tick.label, TextSize::small);
    const float left = std::clamp(x - width / 2, 0.0f, std::max(0.0f, drawing.width - width));
    if (left < taken) continue;
    taken = left + width + style.px(8);
    drawing.write({left, plot.y1 + style.px(5)}, tick.label, style.colors().muted);
  }
}

}  // namespace warpscope::charts
