#pragma once
// What is under the pointer: asked of the same trees that were drawn from, so it is exact at any zoom.
#include <cstdint>
#include <optional>

#include "core/trace/profile.hpp"
#include "render/scene/timeline_scene.hpp"

namespace warpscope::scene {

enum class HitKind : std::uint8_t {
  none,    ///< below the last row
  row,     ///< a row, nothing on it here
  slice,   ///< one slice, drawn as itself or alone in its pixel
  bucket,  ///< a pixel of several slices
  curve,   ///< utilisation or counter
};

struct Hit {
  HitKind kind = HitKind::none;
  bool pinned = false;  ///< `row` counts in layout.pinned()
  std::uint32_t row = Row::kNone;
  Ns time = 0;                            ///< under the pointer
  std::optional<trace::SliceRef> slice;   ///< slice; bucket: the longest of it
  std::uint32_t count = 0;                ///< bucket: slices in the pixel
  Interval pixel;                         ///< bucket, curve: the pixel's time
  bool covered = true;                    ///< utilisation: false where the traces have ended
  double share = 0;                       ///< bucket, utilisation: busy share of the pixel, 0…1
  trace::Counter::Summary counter;        ///< counter and heat rows
  const trace::Counter* curve = nullptr;  ///< of which; lives as long as the profile
};

/// Slices nearer than this to the pointer are found where nothing lies right under it.
inline constexpr double kHitTolerancePx = 3;

[[nodiscard]] Hit hit_test(const TimelineInput& input, double x, double y);

}  // namespace warpscope::scene
