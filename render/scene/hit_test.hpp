#pragma once
// Finds the item under the pointer. Uses the same trees as drawing, so it is exact at any zoom level. Returns `absent`
// if the data must be loaded first (trace::ResidentOnly).
#include <cstdint>
#include <optional>

#include "core/trace/profile.hpp"
#include "render/scene/timeline_scene.hpp"

namespace warpscope::scene {

enum class HitKind : std::uint8_t {
  none,    ///< below the last row
  row,     ///< an empty part of a row
  absent,  ///< a row whose slices at this time are not in memory
  slice,   ///< one slice, drawn individually or alone in its pixel
  bucket,  ///< a pixel with several slices
  curve,   ///< utilization or counter
};

struct Hit {
  HitKind kind = HitKind::none;
  bool pinned = false;  ///< `row` is an index into layout.pinned()
  std::uint32_t row = Row::kNone;
  Ns time = 0;                            ///< under the pointer
  std::optional<trace::SliceRef> slice;   ///< the slice, or the longest slice of the bucket
  std::uint32_t count = 0;                ///< bucket: slices in the pixel
  Interval pixel;                         ///< bucket, curve: the pixel's time
  bool covered = true;                    ///< utilization: false after the end of the trace
  double share = 0;                       ///< bucket, utilization: busy share of the pixel, 0…1
  trace::Counter::Summary counter;        ///< counter and heat rows
  const trace::Counter* curve = nullptr;  ///< the summarized counter; valid as long as the profile
};

/// Maximum distance of a hit if no slice is exactly under the pointer.
inline constexpr double kHitTolerancePx = 3;

[[nodiscard]] Hit hit_test(const TimelineInput& input, double x, double y);

}  // namespace warpscope::scene
