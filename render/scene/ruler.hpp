#pragma once
// The ticks of the time axis: steps of 1, 2 or 5 times a power of ten, about a hundred pixels apart, at whole multiples
// since the profile's begin; labels with as many digits as it takes to tell neighbours apart.
#include <string>
#include <vector>

#include "render/scene/view.hpp"

namespace warpscope::scene {

struct Tick {
  double x = 0;  ///< px
  Ns time = 0;   ///< since the profile's begin
  bool labelled = false;
  std::string label;  ///< empty for the small ticks between
};

struct Ruler {
  Ns step = 1;              ///< between labelled ticks, ns
  std::vector<Tick> ticks;  ///< left to right; may begin a little left of the canvas, for its label's right part
};

/// The least step of 1-2-5 · 10^n ns (at least 1) that is no shorter than `ns`.
[[nodiscard]] Ns nice_step(double ns);

/// `zero`: the profile's begin; `spacing_px`: least distance of labelled ticks (times the display's scale).
[[nodiscard]] Ruler make_ruler(const TimeView& view, Ns zero, double spacing_px = 100);

}  // namespace warpscope::scene
