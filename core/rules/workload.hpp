#pragma once
// What a job does, judging by the names in its traces. Advice depends on it: an inference server has no optimizer and
// no data loader, and XLA programs have no DataParallel wrapper.
#include <cstdint>
#include <string_view>

namespace warpscope::trace {
class Profile;
}

namespace warpscope::rules {

enum class Workload : std::uint8_t {
  training,
  inference,  ///< operators, but none of a backward pass or an optimizer
  server,     ///< vLLM, SGLang or TensorRT-LLM
  compiled,   ///< XLA
  unknown
};

[[nodiscard]] constexpr bool is_inference(Workload workload) {
  return workload == Workload::inference || workload == Workload::server;
}

/// O(length of all names).
[[nodiscard]] Workload workload_of(const trace::Profile& profile);
/// True if an annotation shows that CUDA graphs are captured ("capture_32_FULL" of vLLM).
[[nodiscard]] bool captures_graphs(std::string_view name);

}  // namespace warpscope::rules
