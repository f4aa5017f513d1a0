#pragma once
// The GPUs of a profile. Every GPU count is based on this list. A GPU is a device of a rank. Files of the same rank,
// for example from several recordings of a job, describe the same GPUs. The same device number on two ranks means two
// different GPUs, because processes that see only one GPU each (CUDA_VISIBLE_DEVICES) all number it 0.
#include <cstdint>
#include <span>
#include <vector>

namespace warpscope::trace {

class Profile;

/// A device in one file: indices into Profile::ranks and Rank::devices.
struct GpuPart {
  std::uint32_t rank = 0;
  std::uint32_t device = 0;
};

struct Gpu {
  std::uint32_t node = 0;
  std::int64_t rank = 0;       ///< rank number
  std::int64_t device = 0;     ///< as numbered by the traces
  std::vector<GpuPart> parts;  ///< at least one
};

/// Returns the GPUs of these ranks (indices into Profile::ranks) that have activity, in rank order. O(devices · log
/// devices).
[[nodiscard]] std::vector<Gpu> gpus_of(const Profile& profile, std::span<const std::uint32_t> ranks);

}  // namespace warpscope::trace
