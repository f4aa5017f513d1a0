#pragma once
// The strips above the canvas that share its time axis: the training steps and the ruler. The ruler's mouse is the
// canvas' (mouse.hpp): this only draws it.
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

/// `pointer_x`: px on the canvas of the pointer, marked with its time.
void draw_ruler(const AppContext& app, const TimelineState& state, ImVec2 at, ImVec2 size,
                std::optional<double> pointer_x);

}  // namespace warpscope::ui
