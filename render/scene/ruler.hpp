#pragma once
// Ticks of the time axis: steps of 1, 2 or 5 times a power of ten, about a hundred pixels apart, at multiples of the
// step since the start of the profile. Labels have just enough digits to tell neighbors apart.
#include <string>
#include <vector>

#include "render/scene/view.hpp"

namespace warpscope::scene {

struct Tick {
  double x = 0;  ///< px
  Ns time = 0;   ///< since the start of the profile
  bool labelled = false;
  std::string label;  ///< empty for small ticks
};

struct Ruler {
  Ns step = 1;              ///< between labeled ticks, ns
  std::vector<Tick> ticks;  ///< left to right; may start left of the canvas if part of the label is visible
};

/// Returns the smallest step of 1, 2 or 5 times 10^n ns that is at least `ns`, and never less than 1 ns.
[[nodiscard]] Ns nice_step(double ns);

/// `zero` is the start of the profile. `spacing_px` is the minimum distance between labeled ticks; multiply it by the
/// display scale.
[[nodiscard]] Ruler make_ruler(const TimeView& view, Ns zero, double spacing_px = 100);

}  // namespace warpscope::scene
