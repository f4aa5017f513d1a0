#pragma once
// Which GPUs a profile has: the one answer behind every count of them. A GPU is a device of a rank. Files of the same
// rank, as of several recordings of one job, tell of the same GPUs; the same device on two ranks is two, for processes
// that see but one GPU each (CUDA_VISIBLE_DEVICES) all call it 0.
#include <cstdint>
#include <span>
#include <vector>

namespace warpscope::trace {

class Profile;

/// A device as one file tells it: indices into Profile::ranks and Rank::devices.
struct GpuPart {
  std::uint32_t rank = 0;
  std::uint32_t device = 0;
};

struct Gpu {
  std::uint32_t node = 0;
  std::int64_t rank = 0;       ///< its number
  std::int64_t device = 0;     ///< as the traces number it
  std::vector<GpuPart> parts;  ///< at least one
};

/// The GPUs that these ranks (indices into Profile::ranks) ran something on, in their order. O(devices · log devices).
[[nodiscard]] std::vector<Gpu> gpus_of(const Profile& profile, std::span<const std::uint32_t> ranks);

}  // namespace warpscope::trace
