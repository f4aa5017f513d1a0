#pragma once
// Strips above the canvas that share its time axis: training steps and ruler. The ruler is only drawn here; its mouse
// input is handled together with the canvas's (mouse.hpp).
#include <imgui.h>

#include <optional>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/steps_strip.hpp"

namespace warpscope::ui {

class StepsStripView {
 public:
  void draw(AppContext& app, TimelineState& state, ImVec2 at, ImVec2 size);
  [[nodiscard]] const std::vector<scene::StepBox>& boxes() const { return boxes_; }

 private:
  std::vector<scene::StepBox> boxes_;
};

/// `pointer_x`: pointer position in px on the canvas; its time is marked on the ruler.
void draw_ruler(const AppContext& app, const TimelineState& state, ImVec2 at, ImVec2 size,
                std::optional<double> pointer_x);

}  // namespace warpscope::ui
