#pragma once
// The strip of training steps above the tracks: one box a step while they are wide enough, runs of steps as one box
// beyond that, so that the strip stays readable with a hundred thousand of them.
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

/// `char_px`: about the width of a character of the labels' font. O(log steps + boxes + steps in view).
[[nodiscard]] std::vector<StepBox> make_steps_strip(const trace::Profile& profile, const TimeView& view,
                                                    double char_px = 8);

/// The step that holds t, or the last one before it if `nearest`; Profile::steps index.
[[nodiscard]] std::optional<std::uint32_t> step_at(const trace::Profile& profile, Ns t, bool nearest = false);

}  // namespace warpscope::scene
