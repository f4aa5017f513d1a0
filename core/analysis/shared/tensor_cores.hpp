#pragma once
// Infers from a kernel's name whether it uses Tensor Cores (NVIDIA) or matrix cores (AMD): libraries write the
// instruction, the tile of its operands or their types into the names of their kernels. Profilers record no better
// information. The patterns are a table, so users can see which one applied.
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

/// Returns the patterns of kernels that use them, in matching order, from Volta to Blackwell and for MFMA.
[[nodiscard]] std::span<const TensorCorePattern> tensor_core_patterns();

/// O(patterns · length); long names are truncated.
[[nodiscard]] TensorCoreUse tensor_core_use(std::string_view kernel);

/// True for operators of PyTorch whose kernels could use Tensor Cores: matrix products and convolutions, attention.
[[nodiscard]] bool is_tensor_core_op(std::string_view op);

}  // namespace warpscope::analysis
