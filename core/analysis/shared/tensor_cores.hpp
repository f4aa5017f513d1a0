#pragma once
// Whether a kernel uses Tensor Cores (NVIDIA) or matrix cores (AMD), inferred from its name: libraries write the
// instruction, the tile of its operands or their types into the names of their kernels. Profilers record nothing
// better. The patterns are a table, so that users can see which one decided.
#include <cstdint>
#include <span>
#include <string_view>

namespace warpscope::analysis {

enum class TensorCoreUse : std::uint8_t {
  not_eligible,  ///< no matrix product or convolution
  unused,        ///< could use them
  used,
};

struct TensorCorePattern {
  std::string_view text;  ///< lower case; part of a kernel's name in lower case
  std::string_view meaning;
};

/// Patterns that show use, in matching order, of Volta to Blackwell and of MFMA.
[[nodiscard]] std::span<const TensorCorePattern> tensor_core_patterns();

/// O(patterns · length); long names are cut.
[[nodiscard]] TensorCoreUse tensor_core_use(std::string_view kernel);

/// True for operators of PyTorch whose kernels could use Tensor Cores: matrix products and convolutions, attention.
[[nodiscard]] bool is_tensor_core_op(std::string_view op);

}  // namespace warpscope::analysis
