#include "render/charts/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpscope::charts {

namespace {

constexpr float kSwatch = 10;
constexpr float kGap = 6;
constexpr float kColumnGap = 10;
constexpr float kLeastLabel = 96;  // minimum px of a label; columns of numbers are dropped to keep it

std::vector<float> column_widths(const std::vector<LegendRow>& rows, const ChartStyle& style,
                                 const std::vector<std::string>& headings) {
  std::vector<float> widths;
  for (const std::string& heading : headings) widths.push_back(std::ceil(style.measure(heading, TextSize::small)));
  for (const LegendRow& row : rows) {
    widths.resize(std::max(widths.size(), row.figures.size()));
    for (std::size_t c = 0; c < row.figures.size(); ++c)
      widths[c] = std::max(widths[c], std::ceil(style.measure(row.figures[c], TextSize::small)));
  }
  return widths;
}

float widest_label(const std::vector<LegendRow>& rows, const ChartStyle& style) {
  float widest = 0;
  for (const LegendRow& row : rows) widest = std::max(widest, style.measure(row.label, TextSize::small));
  return std::ceil(widest);
}

void add_swatch(Drawing& drawing, float x, float y, Color color, const ChartStyle& style) {
  const float side = style.px(kSwatch);
  drawing.fill({x, y, x + side, y + side}, color, style.px(2));
}

}  // namespace

float legend_row_height(const ChartStyle& style) { return style.small_height + style.px(3); }

float legend_width(const std::vector<LegendRow>& rows, const ChartStyle& style,
                   const std::vector<std::string>& headings) {
  float width = style.px(kSwatch) + style.px(kGap) + widest_label(rows, style);
  for (const float column : column_widths(rows, style, headings)) width += style.px(kColumnGap) + column;
  return width;
}

float add_legend(Drawing& drawing, const std::vector<LegendRow>& rows, const Box& box, const ChartStyle& style,
                 const std::vector<std::string>& headings) {
  const float height = legend_row_height(style);
  const std::vector<float> widths = column_widths(rows, style, headings);
  const float label_x = box.x0 + style.px(kSwatch) + style.px(kGap);
  const float wanted = std::min(widest_label(rows, style), style.px(kLeastLabel));
  // The last columns are the most informative, so drop the first ones.
  std::size_t first = widths.size();
  float right = box.x1;
  while (first > 0 && right - widths[first - 1] - style.px(kColumnGap) - label_x >= wanted) {
    right -= widths[first - 1] + style.px(kColumnGap);
    --first;
  }
  float y = box.y0;
  if (!headings.empty() && box.height() >= 2 * height) {
    float x = right;
    for (std::size_t c = first; c < headings.size(); ++c) {
      x += style.px(kColumnGap) + widths[c];
      drawing.write({x, y + std::floor((height - style.small_height) / 2)}, headings[c], style.colors().muted,
                    TextSize::small, Align::right);
    }
    y += height;
  }
  const auto fits = static_cast<std::size_t>(std::max(0.0f, std::floor((box.y1 - y + 0.5f) / height)));
  const bool all = rows.size() <= fits;
  // The line with the number of omitted rows comes before the row that is always kept.
  const std::size_t kept = !all && fits > 1 && rows.back().keep ? 1 : 0;
  const std::size_t shown = all ? rows.size() : fits == 0 ? 0 : fits - 1 - kept;
  const auto add_row = [&](const LegendRow& row) {
    const float text_y = y + std::floor((height - style.small_height) / 2);
    add_swatch(drawing, box.x0, y + std::floor((height - style.px(kSwatch)) / 2), row.color, style);
    drawing.write({label_x, text_y}, fit_label(row.label, right - label_x, TextSize::small, style),
                  style.colors().text);
    float x = right;
    for (std::size_t c = first; c < row.figures.size(); ++c) {
      x += style.px(kColumnGap) + widths[c];
      const bool last = c + 1 == row.figures.size();
      drawing.write({x, text_y}, row.figures[c], last ? style.colors().text : style.colors().muted, TextSize::small,
                    Align::right);
    }
    drawing.hits.push_back({row.item, Box{box.x0 - style.px(2), y, box.x1 + style.px(2), y + height}});
    y += height;
  };
  for (std::size_t r = 0; r < shown; ++r) add_row(rows[r]);
  if (!all && fits > 0) {
    drawing.write(
        {label_x, y + std::floor((height - style.small_height) / 2)},
        fit_label(fmt::format("and {} more", rows.size() - shown - kept), box.x1 - label_x, TextSize::small, style),
        style.colors().muted);
    y += height;
  }
  if (kept > 0) add_row(rows.back());
  return y;
}

float add_legend_line(Drawing& drawing, const std::vector<LegendEntry>& entries, const Box& box,
                      const ChartStyle& style, int most_lines) {
  const float height = legend_row_height(style);
  const float lead = style.px(kSwatch) + style.px(kGap);
  const float space = style.px(14);
  float x = box.x0;
  float y = box.y0;
  int line = 1;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string more = fmt::format("+ {}", entries.size() - i);
    const float reserve =
        i + 1 == entries.size() || line < most_lines ? 0.0f : style.measure(more, TextSize::small) + space;
    const std::string label = fit_label(entries[i].label, box.width() - lead, TextSize::small, style);
    const float width = lead + std::ceil(style.measure(label, TextSize::small));
    if (x > box.x0 && x + width + reserve > box.x1) {
      if (line == most_lines) {
        drawing.write({x, y + std::floor((height - style.small_height) / 2)}, more, style.colors().muted);
        break;
      }
      x = box.x0;
      y += height;
      ++line;
    }
    add_swatch(drawing, x, y + std::floor((height - style.px(kSwatch)) / 2), entries[i].color, style);
    drawing.write({x + lead, y + std::floor((height - style.small_height) / 2)}, label, style.colors().text);
    x += width + space;
  }
  return entries.empty() ? box.y0 : y + height;
}

Box add_title(Drawing& drawing, std::string_view title, Box box, const ChartStyle& style) {
  if (title.empty()) return box;
  const float height = legend_row_height(style);
  const std::string shown = fit_label(title, box.width(), TextSize::small, style);
  drawing.write({box.x0, box.y0 + std::floor((height - style.small_height) / 2)}, shown, style.colors().muted);
  const float width = std::ceil(style.measure(shown, TextSize::small)) + style.px(20);
  if (width < box.width() / 2)
    box.x0 += width;
  else
    box.y0 += height;
  return box;
}

float add_heading(Drawing& drawing, std::string_view title, const std::vector<LegendEntry>& entries, const Box& box,
                  const ChartStyle& style, int most_lines) {
  const Box legend = add_title(drawing, title, box, style);
  const float below = title.empty() ? box.y0 : box.y0 + legend_row_height(style);
  return entries.size() > 1 ? std::max(below, add_legend_line(drawing, entries, legend, style, most_lines)) : below;
}

}  // namespace warpscope::charts
