#pragma once
// Infers from a kernel's name whether the kernel uses Tensor Cores (NVIDIA) or matrix cores (AMD). Libraries include
// the instruction, its tile size or its operand types in kernel names. Profilers record nothing more reliable. The
// patterns are stored as a table, so users can see which one applied.
#include <cstdint>
#include <span>
#include <string_view>

namespace warpscope::analysis {

enum class TensorCoreUse : std::uint8_t {
  not_eligible,  ///< not a matrix product or convolution
  unused,        ///< could use them, but does not
  used,
};

struct TensorCorePattern {
  std::string_view text;  ///< lower case; part of a kernel's name in lower case
  std::string_view meaning;
};

/// Returns the name patterns of kernels that use Tensor Cores (Volta to Blackwell) or matrix cores (MFMA), in matching
/// order.
[[nodiscard]] std::span<const TensorCorePattern> tensor_core_patterns();

/// O(patterns · length); long names are truncated.
[[nodiscard]] TensorCoreUse tensor_core_use(std::string_view kernel);

/// True for PyTorch operators whose kernels could use Tensor Cores: matrix products, convolutions and attention.
[[nodiscard]] bool is_tensor_core_op(std::string_view op);

}  // namespace warpscope::analysis
