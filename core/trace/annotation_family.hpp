#pragma once
// Groups annotations whose names differ only in a trailing number into families: `step_12`, `step_13` → `step`;
// `ProfilerStep#7` → `ProfilerStep`. Statistics and histograms are computed per family; training steps are the
// instances of one family.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpscope::trace {

/// What an iteration of an inference server processes, judging by its name.
enum class IterationPhase : std::uint8_t { none, prefill, decode, mixed };
/// Reads the names of vLLM ("execute_context_1(512)_generation_4(4)"), TensorRT-LLM ("[Executor] _forward_step 12: 1
/// ctx reqs, 4 gen reqs") and SGLang ("step[DECODE bs=32]"). `none` if it is not an iteration.
[[nodiscard]] IterationPhase iteration_phase(std::string_view name);
[[nodiscard]] inline bool is_inference_iteration(std::string_view name) {
  return iteration_phase(name) != IterationPhase::none;
}

/// Returns the name without its trailing number and the separator before it (one of `_ # - : . /` or a space). A name
/// consisting only of a number forms its own family. Iterations of inference servers are one family.
[[nodiscard]] std::string_view annotation_family(std::string_view name);

/// Returns the family that marks training steps, given the number of annotations in each family. Candidates, in order
/// of preference: PyTorch's ProfilerStep, `step`, SageMaker Debugger's training steps, iterations of inference servers,
/// the most frequent family with "step" in its name. Empty if no family qualifies.
[[nodiscard]] std::string step_family(const std::map<std::string, std::uint64_t>& families);

}  // namespace warpscope::trace
