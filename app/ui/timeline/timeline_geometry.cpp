#include "app/ui/timeline/timeline_geometry.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/model/settings.hpp"
#include "app/ui/timeline/bottom_pane.hpp"
#include "app/ui/timeline/class_legend.hpp"
#include "app/ui/timeline/overview_strip.hpp"

namespace warpscope::ui {
namespace {

constexpr float kStepsHeight = 24;
constexpr float kRulerHeight = 26;
constexpr float kHeadHeight = 36;  // ruler and filter field if there are no steps
constexpr float kLeastCanvas = 120;

}  // namespace

TimelineGeometry lay_out(const AppContext& app, const trace::Profile* profile, ImVec2 at, ImVec2 size, float path,
                         bool bottom_folded) {
  const auto& px = app.px;
  TimelineGeometry g;
  const float overview = px(OverviewStripView::height(profile));
  const bool steps = profile != nullptr && !profile->steps.empty();
  const float head = steps ? px(kStepsHeight) + px(kRulerHeight) : px(kHeadHeight);
  const float steps_height = steps ? px(kStepsHeight) : 0;
  const float line = px(1);
  const float labels =
      std::clamp(px(app.settings.label_width), px(kLeastLabels), std::max(px(kLeastLabels), size.x * 0.6f));
  const float rest = size.y - overview - head;
  const float bottom = bottom_folded ? px(BottomPane::kStrip)
                                     : std::clamp(px(app.settings.bottom_height), px(kLeastBottom),
                                                  std::max(px(kLeastBottom), rest - px(kLeastCanvas)));
  const float legend = px(ClassLegend::kHeight);
  const float canvas = std::max(px(16), std::floor(rest - bottom - line - path - legend));
  const float left = at.x + labels + line;
  const float width = std::max(px(16), std::floor(at.x + size.x - left));
  float y = at.y;
  g.overview = {at.x, y};
  g.overview_size = {size.x, overview};
  y += overview;
  g.filter = {at.x, y};
  g.filter_size = {labels, head};
  g.steps = {left, y};
  g.steps_size = {width, steps_height};
  g.ruler = {left, y + steps_height};
  const float zoom = px(kZoomButton) * kZoomButtons + px(4);
  g.ruler_size = {std::max(px(16), width - zoom), head - steps_height};
  g.zoom = {left + g.ruler_size.x, y + steps_height + std::floor((g.ruler_size.y - px(kZoomButton)) / 2)};
  y += head;
  g.labels = {at.x, y};
  g.labels_size = {labels, canvas};
  g.canvas = {left, y};
  g.canvas_size = {width, canvas};
  g.path = {at.x, y + canvas};
  g.path_size = {size.x, path};
  y += path + legend;
  g.legend = {at.x, y + canvas - legend};
  g.legend_size = {size.x, legend};
  g.bottom = {at.x, y + canvas + line};
  g.bottom_size = {size.x, std::max(1.0f, at.y + size.y - (y + canvas + line))};
  return g;
}

}  // namespace warpscope::ui
