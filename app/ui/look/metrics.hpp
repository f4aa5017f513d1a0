#pragma once
// Lengths are written in px of the 4 px grid at scale 1 and go through here; nothing is set in raw pixels.
#include <cmath>

namespace warpscope::ui {

struct Metrics {
  float scale = 1;

  /// n grid px as whole output pixels, at least 1 if n > 0.
  [[nodiscard]] float operator()(float n) const {
    const float pixels = std::round(n * scale);
    return n > 0 && pixels < 1 ? 1.0f : pixels;
  }
  /// Output pixels in grid px: for sizes that are remembered.
  [[nodiscard]] float units(float pixels) const { return pixels / scale; }
};

}  // namespace warpscope::ui
