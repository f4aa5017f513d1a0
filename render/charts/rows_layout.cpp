#include "render/charts/rows_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpscope::charts {

Box RowsLayout::row(std::size_t index) const {
  const float y = plot.y0 + static_cast<float>(index) * row_height;
  return {plot.x0, y, plot.x1, y + row_height};
}

Box RowsLayout::bar(std::size_t index, const ChartStyle& style) const {
  Box box = row(index);
  const float gap = std::max(style.px(1), std::round(row_height * 0.14f));
  box.y0 = std::round(box.y0 + gap);
  box.y1 = std::round(box.y1 - gap);
  return box;
}

RowsLayout lay_out_rows(const std::vector<std::string>& labels, const Box& box, const ChartStyle& style, float least,
                        float most) {
  RowsLayout rows;
  rows.total = labels.size();
  float names = 0;
  for (const std::string& label : labels) names = std::max(names, style.measure(label, TextSize::small));
  names = std::min(std::ceil(names), std::floor(box.width() * 0.45f));
  const float axis = style.small_height + style.px(7);
  const float room = std::max(1.0f, box.height() - axis);
  const auto count = static_cast<float>(std::max<std::size_t>(1, labels.size()));
  rows.row_height = std::clamp(room / count, style.px(least), style.px(most));
  rows.shown = labels.size();
  float used = rows.row_height * count;
  if (used > room + 0.5f) {
    const float left = std::max(0.0f, room - style.small_height);  // the last line counts the rest
    rows.shown = static_cast<std::size_t>(left / rows.row_height);
    used = static_cast<float>(rows.shown) * rows.row_height;
  }
  rows.plot = {box.x0 + names + style.px(8), box.y0, std::max(box.x0 + names + style.px(9), box.x1 - style.px(2)),
               box.y0 + used};
  return rows;
}

void add_row_labels(Drawing& drawing, const std::vector<std::string>& labels, const RowsLayout& rows,
                    const ChartStyle& style) {
  float free = -1;
  for (std::size_t r = 0; r < rows.shown; ++r) {
    const Box row = rows.row(r);
    const float y = std::floor((row.y0 + row.y1 - style.small_height) / 2);
    if (y < free) continue;
    free = y + style.small_height;
    drawing.shapes.emplace_back(Text{{rows.plot.x0 - style.px(8), y},
                                     fit_label(labels[r], rows.plot.x0 - style.px(8), TextSize::small, style),
                                     style.colors().text,
                                     TextSize::small,
                                     Align::right});
  }
  if (rows.shown == rows.total) return;
  drawing.shapes.emplace_back(Text{{drawing.width, rows.plot.y1 + style.small_height + style.px(7)},
                                   fmt::format("and {} more", rows.total - rows.shown),
                                   style.colors().muted,
                                   TextSize::small,
                                   Align::right});
}

}  // namespace warpscope::charts
