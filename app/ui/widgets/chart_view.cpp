#include "app/ui/widgets/chart_view.hpp"

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
namespace {

ImFont* font_of(const Fonts& fonts, charts::TextSize size) {
  switch (size) {
    case charts::TextSize::small:
      return fonts.caption;
    case charts::TextSize::normal:
      return fonts.ui;
    case charts::TextSize::large:
      return fonts.heading;
  }
  return fonts.ui;
}

class Painter {
 public:
  Painter(const AppContext& app, ImDrawList& list, ImVec2 at) : app_(app), list_(list), at_(at) {}

  void operator()(const charts::FilledBox& box) {
    list_.AddRectFilled(place({box.box.x0, box.box.y0}), place({box.box.x1, box.box.y1}), box.color, box.radius);
  }
  void operator()(const charts::Polygon& polygon) {
    take(polygon.points);
    list_.AddConvexPolyFilled(points_.data(), static_cast<int>(points_.size()), polygon.color);
  }
  void operator()(const charts::Polyline& line) {
    take(line.points);
    if (line.dash > 0) {
      for (std::size_t i = 0; i + 1 < points_.size(); ++i) dashes(points_[i], points_[i + 1], line);
      return;
    }
    list_.AddPolyline(points_.data(), static_cast<int>(points_.size()), line.color,
                      line.closed ? ImDrawFlags_Closed : ImDrawFlags_None, line.width);
  }
  void operator()(const charts::Text& text) {
    ImFont* font = font_of(app_.fonts, text.size);
    float x = text.at.x;
    if (text.align != charts::Align::left) {
      const float width = text_width(*font, text.text);
      x -= text.align == charts::Align::right ? width : width / 2;
    }
    const ImVec2 corner = place({x, text.at.y});
    draw_text(list_, *font, {std::round(corner.x), std::round(corner.y)}, text.color, text.text);
  }

 private:
  [[nodiscard]] ImVec2 place(charts::Point p) const { return {at_.x + p.x, at_.y + p.y}; }
  void take(const std::vector<charts::Point>& points) {
    points_.clear();
    for (const charts::Point p : points) points_.push_back(place(p));
  }
  void dashes(ImVec2 from, ImVec2 to, const charts::Polyline& line) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const ImVec2 unit((to.x - from.x) / length, (to.y - from.y) / length);
    for (float at = 0; at < length; at += 2 * line.dash) {
      const float end = std::min(length, at + line.dash);
      list_.AddLine({from.x + unit.x * at, from.y + unit.y * at}, {from.x + unit.x * end, from.y + unit.y * end},
                    line.color, line.width);
    }
  }

  const AppContext& app_;
  ImDrawList& list_;
  ImVec2 at_;
  std::vector<ImVec2> points_;
};

}  // namespace

charts::ChartStyle chart_style(const AppContext& app, scene::Color ground) {
  charts::ChartStyle style;
  style.theme = app.theme.kind;
  style.scale = app.px.scale;
  style.ground = ground;
  style.measure = [fonts = app.fonts](std::string_view words, charts::TextSize size) {
    return text_width(*font_of(fonts, size), words);
  };
  style.small_height = app.fonts.caption->FontSize;
  style.normal_height = app.fonts.ui->FontSize;
  style.large_height = app.fonts.heading->FontSize;
  return style;
}

void paint(const AppContext& app, ImDrawList& list, const charts::Drawing& drawing, ImVec2 at) {
  Painter painter(app, list, at);
  for (const charts::Shape& shape : drawing.shapes) std::visit(painter, shape);
}

ChartView::Answer ChartView::draw(const AppContext& app, const char* id, ImVec2 size, scene::Color ground,
                                  const Make& make, std::optional<std::uint32_t> marked) {
  Answer answer;
  at_ = ImGui::GetCursorScreenPos();
  if (size.x < 1 || size.y < 1) return answer;
  ImGui::InvisibleButton(id, size);
  answer.hovered = ImGui::IsItemHovered();
  answer.clicked = ImGui::IsItemClicked(ImGuiMouseButton_Left);
  answer.double_clicked = answer.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  answer.menu = answer.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  if (!ImGui::IsItemVisible()) return answer;
  const bool same = made_ && size.x == size_.x && size.y == size_.y && scale_ == app.px.scale &&
                    theme_ == app.theme.kind && ground_ == ground;
  if (!same) {
    drawing_ = make(size.x, size.y, chart_style(app, ground));
    size_ = size;
    scale_ = app.px.scale;
    theme_ = app.theme.kind;
    ground_ = ground;
    made_ = true;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(at_, {at_.x + size.x, at_.y + size.y}, true);
  paint(app, list, drawing_, at_);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  answer.pointer = {mouse.x - at_.x, mouse.y - at_.y};
  if (answer.hovered) answer.item = drawing_.hit(answer.pointer);
  if (const auto item = answer.item ? answer.item : marked)
    for (const charts::Polyline& line : drawing_.outlines(*item, app.theme.text, app.px(answer.item ? 1.5f : 2)))
      Painter(app, list, at_)(line);
  list.PopClipRect();
  return answer;
}

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
  if (values.size() > kMostLines) facts += fmt::format("\nand {} lower", values.size() - kMostLines);
  const auto step = static_cast<Ns>(std::max(1.0, (time.high - time.low) / 1000));
  tooltip(app, format_time_at(static_cast<Ns>(at), step), facts, further);
}

}  // namespace warpscope::ui
