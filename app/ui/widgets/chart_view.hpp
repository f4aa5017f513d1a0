#pragma once
// A chart of render/charts on the screen: painted with ImDrawList, laid out anew only when its size, its theme or what
// it shows changes, and answering with the item under the pointer. What an item is called and what a click does is its
// owner's business.
#include <imgui.h>

#include <functional>
#include <optional>

#include "app/ui/app_context.hpp"
#include "render/charts/drawing.hpp"

namespace warpscope::ui {

/// The look of charts in this frame's theme and fonts, on `ground`. Measures with ImGui's fonts: UI thread only.
[[nodiscard]] charts::ChartStyle chart_style(const AppContext& app, scene::Color ground);

/// Paints the drawing with its top left corner at `at`.
void paint(const AppContext& app, ImDrawList& list, const charts::Drawing& drawing, ImVec2 at);

class ChartView {
 public:
  using Make = std::function<charts::Drawing(float width, float height, const charts::ChartStyle& style)>;

  struct Answer {
    bool hovered = false;               ///< the pointer is over the chart
    charts::Point pointer{};            ///< from the chart's corner
    std::optional<std::uint32_t> item;  ///< under the pointer
    bool clicked = false;
    bool double_clicked = false;
    bool menu = false;  ///< right click
  };

  /// Lets the next draw() lay the chart out anew.
  void changed() { made_ = false; }
  /// Takes `size` at the cursor. `make` is asked when a drawing is needed; `marked`: an item that is outlined as if the
  /// pointer were on it (the keyboard's).
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

}  // namespace warpscope::ui
