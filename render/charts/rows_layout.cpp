#include "render/charts/rows_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "core/base/format.hpp"

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

RowsLayout lay_out_rows(const std::vector<std::string>& labels, const Box& box, const ChartStyle& style,
                        const RowsRoom& wanted) {
  RowsLayout rows;
  rows.total = labels.size() + wanted.left_out;
  rows.left_out = wanted.left_out > 0;
  const float least = wanted.least > 0 ? style.px(wanted.least) : style.small_height + style.px(2);
  float names = 0;
  for (const std::string& label : labels) names = std::max(names, style.measure(label, TextSize::small));
  names = std::min(std::ceil(names), std::floor(box.width() * 0.45f));
  const float axis = style.small_height + style.px(7);
  const float room = std::max(1.0f, box.height() - axis);
  const auto count = static_cast<float>(std::max<std::size_t>(1, labels.size()));
  const float left = std::max(0.0f, room - style.small_height);  // the last line shows the number of omitted rows
  rows.row_height =
      std::clamp((wanted.left_out > 0 ? left : room) / count, least, std::max(least, style.px(wanted.most)));
  rows.shown = labels.size();
  float used = rows.row_height * count;
  if (used > (wanted.left_out > 0 ? left : room) + 0.5f) {
    rows.shown = static_cast<std::size_t>(left / rows.row_height);
    used = static_cast<float>(rows.shown) * rows.row_height;
  }
  rows.plot = {box.x0 + names + style.px(8), box.y0, std::max(box.x0 + names + style.px(9), box.x1 - style.px(2)),
               box.y0 + used};
  return rows;
}

namespace {

/// Returns the note about rows that are not shown; rows without a label are listed in the chart's table.
std::string more_words(const RowsLayout& rows) {
  return fmt::format("and {} more{}", format_count(static_cast<std::int64_t>(rows.total - rows.shown)),
                     rows.left_out ? " in the table" : "");
}

/// True if the last part of a label ("rank 3 · gemm · at 3.2 ms") is short enough to be always visible.
bool ends_with_part(std::string_view label) {
  constexpr std::string_view kParts = " · ";
  constexpr std::size_t kLongestPart = 18;
  const std::size_t last = label.rfind(kParts);
  return last != std::string_view::npos && label.size() - last <= kLongestPart + kParts.size();
}

/// Shortens labels to `width`: at the end, or in the middle if another label has the same prefix or the last part is
/// short.
std::vector<std::string> fitting(std::span<const std::string> labels, float width, const ChartStyle& style) {
  std::vector<std::string> shown;
  std::map<std::string, std::size_t> counts;
  for (const std::string& label : labels) {
    shown.push_back(fit_label(label, width, TextSize::small, style));
    ++counts[shown.back()];
  }
  for (std::size_t r = 0; r < shown.size(); ++r)
    if (shown[r] != labels[r] && (counts[shown[r]] > 1 || ends_with_part(labels[r])))
      shown[r] = fit_both_ends(labels[r], width, TextSize::small, style);
  return shown;
}

}  // namespace

void add_row_labels(Drawing& drawing, const std::vector<std::string>& labels, const RowsLayout& rows,
                    const ChartStyle& style) {
  float free = -1;
  const std::vector<std::string> shown =
      fitting(std::span(labels).first(rows.shown), rows.plot.x0 - style.px(8), style);
  for (std::size_t r = 0; r < rows.shown; ++r) {
    const Box row = rows.row(r);
    const float y = std::floor((row.y0 + row.y1 - style.small_height) / 2);
    if (y < free) continue;
    free = y + style.small_height;
    drawing.write({rows.plot.x0 - style.px(8), y}, shown[r], style.colors().text, TextSize::small, Align::right);
  }
  const float last = rows.plot.y1 + style.small_height + style.px(7);
  if (rows.shown == rows.total || last + style.small_height > drawing.height + 1) return;
  drawing.write({drawing.width, last}, more_words(rows), style.colors().muted, TextSize::small, Align::right);
}

}  // namespace warpscope::charts
