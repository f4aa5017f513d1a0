#pragma once
// Labels values from the GPU samplers and reports GPUs that cannot be read.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/record/sampler.hpp"

namespace warpscope::record {

class GpuReadings {
 public:
  /// `library`: library name for messages.
  GpuReadings(std::string library, std::uint32_t gpus, Say say);

  [[nodiscard]] std::uint32_t gpus() const { return static_cast<std::uint32_t>(names_.size()); }
  void utilization(std::uint32_t gpu, double percent, std::vector<Sample>& into) const;
  void memory(std::uint32_t gpu, std::uint64_t used, std::uint64_t total, std::vector<Sample>& into) const;
  /// Reports, once per GPU, that `what` cannot be read and why.
  void failed(std::uint32_t gpu, const std::string& what, const std::string& why);

 private:
  std::string library_;
  std::vector<std::string> names_;
  Say say_;
  std::set<std::string> said_;
};

}  // namespace warpscope::record
