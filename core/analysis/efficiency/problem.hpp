#pragma once
// Minimum work of an operator: floating-point operations, and bytes read and written if each operand is transferred
// once. Derived from input shapes and types, for the PyTorch operators that dominate training and inference.
//
// A multiply-add counts as two operations. Counts for matrix products, convolutions and attention are exact; a causal
// mask halves the count for attention. Elementwise operators and reductions count one operation per element of the
// input or output, whichever is larger; copies and embeddings count none. Normalization, softmax and optimizers follow
// the standard formulas; they are memory-bound anyway. Broadcast operands are counted at their size before
// broadcasting.
//
// One table (models.cpp) maps operators to formulas.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/efficiency/operands.hpp"

namespace warpscope::analysis {

enum class ProblemKind : std::uint8_t {
  matrix_product,
  convolution,
  attention,
  normalization,
  softmax,
  embedding,
  optimizer,
  elementwise,
  reduction,
  copy,
};
[[nodiscard]] std::string_view to_string(ProblemKind kind);

/// True for matrix products, convolutions and attention, whose operations count as model FLOPs.
[[nodiscard]] constexpr bool is_product(ProblemKind kind) { return kind <= ProblemKind::attention; }

/// Work of one call.
struct Problem {
  ProblemKind kind = ProblemKind::elementwise;  ///< set by ProblemModel::problem()
  std::string dims{};                           ///< "M=8944 N=2816 K=1024"
  std::string dtype{};                          ///< of the inputs: "bf16"
  double flops = 0;
  double bytes = 0;
};

/// Positions of the relevant inputs; their meaning depends on the formula.
struct ModelInputs {
  std::uint8_t first = 0;
  std::uint8_t second = 0;
  std::uint8_t third = 0;
  std::uint8_t fourth = 0;
  double factor = 1;  ///< operations per element
};

/// Returns nullopt if required inputs were not recorded.
using Formula = std::optional<Problem>(const Operands& operands, const ModelInputs& inputs);

struct ProblemModel {
  std::string_view ops;  ///< operators with this model, separated by spaces; those without a namespace are PyTorch's
  ProblemKind kind;
  Formula* formula;
  ModelInputs inputs{};
  /// True if the problem covers all GPU activity inside the operator. Otherwise it covers only activity that the
  /// operator launches directly, so wrapper operators do not count the same work again.
  bool whole = false;

  [[nodiscard]] std::optional<Problem> problem(const Operands& operands) const {
    auto found = formula(operands, inputs);
    if (found) found->kind = kind;
    return found;
  }
};

/// Returns an operator's model; null if it has none. O(log models).
[[nodiscard]] const ProblemModel* find_model(std::string_view op);

/// Products: `first` and `second` are the matrices; the bias or matrix to add, if any, comes before them.
Formula matrix_work, linear_work, grouped_work;
/// `first`: number of the result type; `second`: bias.
Formula scaled_work;
/// `first`: stride; `second`: padding; `third`: dilation; `fourth`: transposed flag, followed by output padding and
/// groups; 0 if the operator is never transposed.
Formula convolution_work;
/// `first`: gradient of the output; `second`: input; `third`: weight; `fourth`: mask of requested gradients.
Formula convolution_backward_work;
/// `first`: whether the mask is causal; `second`: 1 if tokens precede heads; `third`: 1 for the backward pass, whose
/// first input is the output gradient.
Formula attention_work;

}  // namespace warpscope::analysis
