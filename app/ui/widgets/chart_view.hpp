#pragma once
// Shows a chart from render/charts: paints it with ImDrawList, lays it out again only when its size, theme or data
// change, and returns the item under the pointer. The caller maps items to names and handles clicks.
#include <imgui.h>

#include <functional>
#include <optional>

#include "app/ui/app_context.hpp"
#include "render/charts/line_chart.hpp"

namespace warpscope::ui {

/// Returns the chart style for the current theme and fonts, on the background color `ground`. UI thread only, because
/// it measures text with ImGui's fonts.
[[nodiscard]] charts::ChartStyle chart_style(const AppContext& app, scene::Color ground);

/// Paints the drawing with its top left corner at `at`.
void paint(const AppContext& app, ImDrawList& list, const charts::Drawing& drawing, ImVec2 at);

class ChartView {
 public:
  using Make = std::function<charts::Drawing(float width, float height, const charts::ChartStyle& style)>;

  struct Answer {
    bool hovered = false;               ///< the pointer is over the chart
    charts::Point pointer{};            ///< relative to the chart's corner
    std::optional<std::uint32_t> item;  ///< under the pointer
    bool clicked = false;
    bool double_clicked = false;
    bool menu = false;  ///< right click
  };

  /// Requests a new layout on the next draw().
  void changed() { made_ = false; }
  /// Draws the chart at the cursor; `size` is in px. Calls `make` when a new drawing is needed. `marked`: an item to
  /// outline as if hovered (for the keyboard).
  Answer draw(const AppContext& app, const char* id, ImVec2 size, scene::Color ground, const Make& make,
              std::optional<std::uint32_t> marked = std::nullopt);
  [[nodiscard]] const charts::Drawing& drawing() const { return drawing_; }
  [[nodiscard]] ImVec2 at() const { return at_; }  ///< screen px of the last draw

 private:
  charts::Drawing drawing_;
  ImVec2 size_{};
  ImVec2 at_{};
  float scale_ = 0;
  scene::Theme theme_ = scene::Theme::dark;
  scene::Color ground_ = 0;
  bool made_ = false;
};

/// Draws a vertical line at the pointer and a tooltip with the curves' values there; if there are many, only the
/// highest, in descending order. `lines`: curves drawn by `chart`; `pointer` is relative to the chart's corner. Draws
/// nothing outside the axes. `further`: last tooltip line.
void line_hover(const AppContext& app, const ChartView& chart, const charts::LineChart& lines, charts::Point pointer,
                std::string_view further);

}  // namespace warpscope::ui
