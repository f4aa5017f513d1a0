#pragma once
// The strip of training steps above the tracks: one box per step if the steps are wide enough, otherwise one box for
// several steps. The strip stays readable even with a hundred thousand steps.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/profile.hpp"
#include "render/scene/view.hpp"

namespace warpscope::scene {

struct StepBox {
  double x0 = 0;  ///< px, clipped to the canvas
  double x1 = 0;
  std::uint32_t first = 0;  ///< steps [first, last) of Profile::steps
  std::uint32_t last = 0;
  std::string label;  ///< "" if it would not fit
};

/// `char_px` is the approximate character width of the label font. O(log steps + boxes + steps in view).
[[nodiscard]] std::vector<StepBox> make_steps_strip(const trace::Profile& profile, const TimeView& view,
                                                    double char_px = 8);

/// Returns the index in Profile::steps of the step that contains t; with `nearest`, falls back to the last step before
/// t.
[[nodiscard]] std::optional<std::uint32_t> step_at(const trace::Profile& profile, Ns t, bool nearest = false);

}  // namespace warpscope::scene
