#include "render/charts/heat_map.hpp"

#include <algorithm>
#include <cmath>

#include "render/charts/colors.hpp"
#include "render/charts/rows_layout.hpp"

namespace warpscope::charts {

namespace {

constexpr int kScaleSteps = 24;
constexpr float kLeastRow = 2;  // px at 1×

/// Returns the position of a value on the color scale, 0…1.
double place_of(const HeatMap& chart, double value) {
  const double range = chart.high > chart.low ? chart.high - chart.low : 1;
  const double share = (value - chart.low) / range;
  return chart.square_root && share > 0 ? std::sqrt(share) : share;
}

/// Adds the color scale with labels at its ends, and in the middle if the color scale is not linear; returns its width.
float add_scale(Drawing& drawing, const HeatMap& chart, float top, float bottom, const ChartStyle& style) {
  const std::string high = format_value(chart.high, chart.unit);
  const std::string low = format_value(chart.low, chart.unit);
  const std::string middle = format_value(chart.low + (chart.high - chart.low) / 4, chart.unit);
  const float words = std::ceil(std::max({style.measure(high, TextSize::small), style.measure(low, TextSize::small),
                                          chart.square_root ? style.measure(middle, TextSize::small) : 0.0f}));
  const float bar = style.px(10);
  const float left = drawing.width - words - style.px(4) - bar;
  for (int i = 0; i < kScaleSteps; ++i) {
    const double from = 1 - static_cast<double>(i) / kScaleSteps;
    const float y0 = std::round(top + (bottom - top) * static_cast<float>(i) / kScaleSteps);
    const float y1 = std::round(top + (bottom - top) * static_cast<float>(i + 1) / kScaleSteps);
    drawing.fill({left, y0, left + bar, y1}, heat_color(from - 0.5 / kScaleSteps, style.theme));
  }
  const float x = left + bar + style.px(4);
  if (chart.square_root && bottom - top >= 4 * style.small_height)
    drawing.write({x, std::round((top + bottom - style.small_height) / 2)}, middle, style.colors().muted);
  drawing.write({x, top}, high, style.colors().muted);
  if (bottom - top >= 2 * style.small_height)
    drawing.write({x, bottom - style.small_height}, low, style.colors().muted);
  return drawing.width - left + style.px(12);
}

/// The greatest value of some cells and its row; NaN if no value is known.
struct Peak {
  double value = std::nan("");
  std::size_t row = 0;
};

Peak peak_of(const HeatMap& chart, std::size_t first_row, std::size_t end_row, std::size_t from, std::size_t to) {
  Peak peak{.row = first_row};
  for (std::size_t r = first_row; r < end_row; ++r)
    for (std::size_t c = from; c < to; ++c) {
      const double value = chart.values[r * chart.columns + c];
      if (!std::isnan(value) && !(value <= peak.value)) peak = {value, r};
    }
  return peak;
}

/// Adds names below the columns, as many as fit side by side.
void add_column_names(Drawing& drawing, const HeatMap& chart, const ChartStyle& style) {
  const float each = drawing.plot.width() / static_cast<float>(chart.columns);
  float free = drawing.plot.x0;
  for (std::size_t c = 0; c < std::min(chart.columns, chart.column_names.size()); ++c) {
    const float width = style.measure(chart.column_names[c], TextSize::small);
    const float middle = drawing.plot.x0 + each * (static_cast<float>(c) + 0.5f);
    const float left =
        std::clamp(middle - width / 2, drawing.plot.x0, std::max(drawing.plot.x0, drawing.plot.x1 - width));
    if (left < free || left + width > drawing.plot.x1 + 1) continue;
    drawing.write({left, drawing.plot.y1 + style.px(4)}, chart.column_names[c], style.colors().muted);
    free = left + width + style.px(12);
  }
}

}  // namespace

Drawing draw(const HeatMap& chart, float width, float height, const ChartStyle& style) {
  Drawing drawing{.width = width, .height = height};
  if (chart.columns == 0 || chart.values.size() < chart.rows.size() * chart.columns) return drawing;
  const float axis = style.small_height + style.px(7);
  const float top = chart.title.empty() ? 0 : style.small_height + style.px(6);
  if (!chart.title.empty())
    drawing.write({0, 0}, fit_label(chart.title, width, TextSize::small, style), style.colors().muted);
  const float taken =
      add_scale(drawing, chart, top, top + std::max(1.0f, std::min(height - top - axis, style.px(160))), style);
  // At least two pixels per row.
  const auto room = static_cast<std::size_t>(std::max(1.0f, (height - top - axis) / style.px(kLeastRow)));
  const std::size_t together = (chart.rows.size() + room - 1) / room;
  std::vector<std::string> names;
  for (std::size_t r = 0; r < chart.rows.size(); r += std::max<std::size_t>(1, together))
    names.push_back(chart.rows[r]);
  const RowsLayout rows = lay_out_rows(names, {0, top, width - taken, height}, style, {.least = kLeastRow, .most = 40});
  drawing.plot = rows.plot;
  const Scale x{chart.x_begin, chart.x_end, rows.plot.x0, rows.plot.x1, false};
  const auto pixels = static_cast<std::size_t>(std::max(1.0f, rows.plot.width()));
  const std::size_t boxes = std::min(chart.columns, pixels);
  for (std::size_t r = 0; r < rows.shown; ++r) {
    const Box row = rows.row(r);
    const float gap = rows.row_height >= 6 * style.scale ? style.px(1) : 0;
    const std::size_t first = r * together;
    const std::size_t end = std::min(first + together, chart.rows.size());
    drawing.hits.push_back({static_cast<std::uint32_t>(peak_of(chart, first, end, 0, chart.columns).row), row});
    // Merge neighbors with the same color into one box, so that idle rows cost little.
    for (std::size_t b = 0; b < boxes; ++b) {
      const auto column = [&](std::size_t box) { return box * chart.columns / boxes; };
      const Color color =
          heat_color(place_of(chart, peak_of(chart, first, end, column(b), column(b + 1)).value), style.theme);
      const auto edge = [&](std::size_t box) {
        return std::round(rows.plot.x0 + rows.plot.width() * static_cast<float>(box) / static_cast<float>(boxes));
      };
      auto* last = b > 0 ? std::get_if<FilledBox>(&drawing.shapes.back()) : nullptr;
      if (last != nullptr && last->color == color)
        last->box.x1 = edge(b + 1);
      else
        drawing.fill({edge(b), std::round(row.y0), edge(b + 1), std::round(row.y1) - gap}, color);
    }
  }
  if (chart.column_names.empty()) {
    const int x_lines = std::max(2, static_cast<int>(rows.plot.width() / style.px(96)));
    add_horizontal_axis(drawing, x, ticks_of(x, x_lines, chart.x_unit), rows.plot, style);
  } else {
    add_column_names(drawing, chart, style);
  }
  add_row_labels(drawing, names, rows, style);
  return drawing;
}

std::optional<std::uint32_t> cell_at(const HeatMap& chart, const Drawing& drawing, Point p) {
  const std::optional<std::uint32_t> row = drawing.plot.contains(p) ? drawing.hit(p) : std::nullopt;
  if (!row) return std::nullopt;
  const float part = (p.x - drawing.plot.x0) / drawing.plot.width();
  const auto column = static_cast<std::size_t>(part * static_cast<float>(chart.columns));
  return static_cast<std::uint32_t>(*row * chart.columns + std::min(column, chart.columns - 1));
}

}  // namespace warpscope::charts
