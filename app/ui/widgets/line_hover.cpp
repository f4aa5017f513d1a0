#include "app/ui/widgets/line_hover.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets/widgets.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {

void line_hover(const AppContext& app, const ChartView& chart, const charts::LineChart& lines, charts::Point pointer,
                std::string_view further) {
  constexpr std::size_t kMostLines = 12;
  const charts::Box plot = chart.drawing().plot;
  if (!plot.contains(pointer)) return;
  const charts::Scale time = charts::time_scale(lines, plot);
  const double at = time.value(pointer.x);
  std::vector<std::pair<double, std::string>> values;
  double greatest = 0;
  for (const charts::LineSeries& series : lines.series)
    if (const auto point = charts::value_at(series, at)) {
      values.emplace_back(point->y, series.name.empty() ? "" : series.name + ": ");
      greatest = std::max(greatest, std::abs(point->y));
    }
  for (auto& [value, words] : values) words += charts::format_value_among(value, lines.y_unit, greatest);
  const float x = std::round(chart.at().x + pointer.x);
  ImGui::GetWindowDrawList()->AddRectFilled({x, chart.at().y + plot.y0}, {x + app.px(1), chart.at().y + plot.y1},
                                            faded(app.theme.text, 0.4f));
  if (values.size() > kMostLines)
    std::ranges::stable_sort(values, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string facts;
  for (std::size_t i = 0; i < std::min(values.size(), kMostLines); ++i) facts += (i > 0 ? "\n" : "") + values[i].second;
  if (values.size() > kMostLines) facts += fmt::format("\nand {} less", values.size() - kMostLines);
  const auto step = static_cast<Ns>(std::max(1.0, (time.high - time.low) / 1000));
  tooltip(app, format_time_at(static_cast<Ns>(at), step), facts, further);
}

}  // namespace warpscope::ui
