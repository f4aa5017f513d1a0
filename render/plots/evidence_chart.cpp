#include "render/plots/evidence_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/table_format.hpp"
#include "render/charts/axis.hpp"
#include "render/plots/table_chart.hpp"

namespace warpscope::plots {

namespace {

using charts::Box;
using charts::Drawing;
using charts::TextSize;

constexpr float kTitleHeight = 18;
constexpr float kBarLine = 18;
constexpr float kBarThickness = 8;
constexpr float kColumnsHeight = 44;
constexpr float kLabelsHeight = 16;  // below columns
constexpr float kWidestColumn = 40;
constexpr float kGap = 8;
constexpr float kMostLabel = 0.55F;  // of the width
constexpr float kLeastBar = 2;

charts::Unit evidence_unit(const rules::Evidence& evidence) { return unit_of(Column("", "", evidence.kind)); }

double largest_of(const rules::Evidence& evidence) {
  double most = 0;
  for (const rules::Evidence::Bar& bar : evidence.bars) most = std::max(most, bar.value);
  return most;
}

void add_bars(Drawing& drawing, const rules::Evidence& evidence, const charts::ChartStyle& style) {
  const double most = largest_of(evidence);
  float labels = 0;
  float figures = 0;
  for (const rules::Evidence::Bar& bar : evidence.bars) {
    labels = std::max(labels, style.measure(bar.label, TextSize::small));
    figures =
        std::max(figures, style.measure(charts::format_value(bar.value, evidence_unit(evidence)), TextSize::small));
  }
  labels = std::min(std::ceil(labels), std::floor(kMostLabel * drawing.width));
  const Box plot{labels + style.px(kGap), style.px(kTitleHeight),
                 std::max(labels + style.px(kGap) + 1, drawing.width - std::ceil(figures) - style.px(kGap)),
                 drawing.height};
  drawing.plot = plot;
  for (std::size_t i = 0; i < evidence.bars.size(); ++i) {
    const rules::Evidence::Bar& bar = evidence.bars[i];
    const float top = plot.y0 + static_cast<float>(i) * style.px(kBarLine);
    const float text = top + std::floor((style.px(kBarLine) - style.small_height) / 2);
    const float y = top + std::floor((style.px(kBarLine) - style.px(kBarThickness)) / 2);
    const float length =
        most > 0 ? std::max(style.px(kLeastBar), std::round(plot.width() * static_cast<float>(bar.value / most))) : 0;
    drawing.write({0, text}, charts::fit_both_ends(bar.label, labels, TextSize::small, style), style.colors().text);
    drawing.fill({plot.x0, y, plot.x0 + length, y + style.px(kBarThickness)}, style.colors().accent, style.px(2));
    drawing.write({plot.x0 + length + style.px(kGap), text}, charts::format_value(bar.value, evidence_unit(evidence)),
                  style.colors().muted);
    drawing.hits.push_back({static_cast<std::uint32_t>(i), Box{0, top, drawing.width, top + style.px(kBarLine)}});
  }
}

void add_columns(Drawing& drawing, const rules::Evidence& evidence, const charts::ChartStyle& style) {
  const double most = largest_of(evidence);
  const auto count = static_cast<float>(evidence.bars.size());
  const std::string largest = charts::format_value(most, evidence_unit(evidence));
  const float figure = std::ceil(style.measure(largest, TextSize::small)) + style.px(kGap);
  const float width = std::min(drawing.width - figure, count * style.px(kWidestColumn));
  const Box plot{0, style.px(kTitleHeight), width, style.px(kTitleHeight + kColumnsHeight)};
  drawing.plot = plot;
  const charts::Color line = style.colors().line;
  drawing.fill({plot.x0, plot.y0, plot.x1, plot.y0 + style.px(1)}, line);
  drawing.fill({plot.x0, plot.y1, plot.x1, plot.y1 + style.px(1)}, line);
  drawing.write({plot.x1 + style.px(kGap), plot.y0 - std::floor(style.small_height / 2)}, largest,
                style.colors().muted);
  for (std::size_t i = 0; i < evidence.bars.size(); ++i) {
    const float x0 = std::round(width * static_cast<float>(i) / count);
    const float x1 = std::round(width * static_cast<float>(i + 1) / count);
    const float gap = x1 - x0 >= style.px(3) ? style.px(1) : 0;
    const double share = most > 0 ? std::max(0.0, evidence.bars[i].value / most) : 0;
    const float height = share > 0 ? std::max(1.0F, std::round(plot.height() * static_cast<float>(share))) : 0;
    drawing.fill({x0, plot.y1 - height, std::max(x0 + 1, x1 - gap), plot.y1}, style.colors().accent);
    drawing.hits.push_back({static_cast<std::uint32_t>(i), Box{x0, plot.y0, x1, plot.y1}});
  }
  const float below = plot.y1 + style.px(2);
  const std::string& first = evidence.bars.front().label;
  const std::string& last = evidence.bars.back().label;
  const float half = drawing.width / 2 - style.px(kGap);
  drawing.write({0, below}, charts::fit_both_ends(first, half, TextSize::small, style), style.colors().muted);
  const bool apart =
      style.measure(first, TextSize::small) + style.measure(last, TextSize::small) + style.px(kGap) < width;
  if (apart)
    drawing.write({plot.x1, below}, charts::fit_both_ends(last, half, TextSize::small, style), style.colors().muted,
                  TextSize::small, charts::Align::right);
}

}  // namespace

float evidence_height(const rules::Evidence& evidence) {
  if (evidence.bars.empty()) return 0;
  if (evidence.form == rules::Evidence::Form::columns) return kTitleHeight + kColumnsHeight + kLabelsHeight;
  return kTitleHeight + kBarLine * static_cast<float>(evidence.bars.size());
}

Drawing draw_evidence(const rules::Evidence& evidence, float width, const charts::ChartStyle& style) {
  Drawing drawing{.width = width, .height = style.px(evidence_height(evidence))};
  if (evidence.bars.empty()) return drawing;
  drawing.write({0, 0}, charts::fit_label(evidence.title, width, TextSize::small, style), style.colors().muted);
  if (evidence.form == rules::Evidence::Form::columns)
    add_columns(drawing, evidence, style);
  else
    add_bars(drawing, evidence, style);
  return drawing;
}

std::string bar_words(const rules::Evidence& evidence, std::size_t bar) {
  return fmt::format("{}: {}", evidence.bars[bar].label,
                     charts::format_value(evidence.bars[bar].value, evidence_unit(evidence)));
}

}  // namespace warpscope::plots
