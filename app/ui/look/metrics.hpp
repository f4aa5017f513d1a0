#pragma once
// Converts lengths on the 4 px grid (at scale 1) to output pixels. No length is specified in output pixels.
#include <cmath>

namespace warpscope::ui {

struct Metrics {
  float scale = 1;

  /// Converts n grid px to whole output pixels, at least 1 if n > 0.
  [[nodiscard]] float operator()(float n) const {
    const float pixels = std::round(n * scale);
    return n > 0 && pixels < 1 ? 1.0f : pixels;
  }
  /// Converts output pixels to grid px, for saved sizes.
  [[nodiscard]] float units(float pixels) const { return pixels / scale; }
};

/// Positions are computed in double precision, which long traces require, and drawn in single precision.
[[nodiscard]] inline float to_float(double value) { return static_cast<float>(value); }

}  // namespace warpscope::ui
