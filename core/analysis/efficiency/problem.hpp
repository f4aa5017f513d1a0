#pragma once
// Minimum work of an operator: floating-point operations, and bytes read and written if each operand is transferred
// once. Derived from input shapes and types, for the PyTorch operators that dominate training and inference.
//
// A multiply-add counts as two operations. Counts for matrix products, convolutions and attention are exact; a causal
// mask halves the count for attention. Elementwise operators and reductions count one operation per element of the
// input or output, whichever is larger; copies and embeddings count none. Normalization, softmax and optimizers follow
// the standard formulas; they are memory-bound anyway. Broadcast operands are counted at their size before
// broadcasting.
#include <cstdint>
#include <optional>
#include <span>
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

/// Work of one call.
struct Problem {
  ProblemKind kind = ProblemKind::elementwise;
  std::string dims{};   ///< "M=8944 N=2816 K=1024"
  std::string dtype{};  ///< of the inputs: "bf16"
  double flops = 0;
  double bytes = 0;
};

/// Positions of the relevant inputs; their meaning depends on the model.
struct ModelInputs {
  std::uint8_t first = 0;
  std::uint8_t second = 0;
  std::uint8_t third = 0;
  std::uint8_t fourth = 0;
  double factor = 1;  ///< operations per element, or relative to the forward pass
};

struct ProblemModel {
  std::string_view op;
  /// Returns nullopt if required inputs were not recorded.
  std::optional<Problem> (*problem)(const Operands& operands, const ModelInputs& inputs);
  ModelInputs inputs{};
  /// True if the problem covers all GPU activity inside the operator. Otherwise it covers only activity that the
  /// operator launches directly, so wrapper operators do not count the same work again.
  bool whole = false;
};

/// True for matrix products, convolutions and attention, whose operations count as model FLOPs.
[[nodiscard]] bool is_product(ProblemKind kind);
/// True for models of these operators.
[[nodiscard]] bool is_product_model(const ProblemModel& model);

/// Returns an operator's model; null if it has none. O(log models).
[[nodiscard]] const ProblemModel* find_model(std::string_view op);

/// Models by problem kind; each list is in its own file.
[[nodiscard]] std::span<const ProblemModel> matrix_models();
[[nodiscard]] std::span<const ProblemModel> convolution_models();
[[nodiscard]] std::span<const ProblemModel> attention_models();
[[nodiscard]] std::span<const ProblemModel> layer_models();        ///< normalization, softmax, embedding, optimizers
[[nodiscard]] std::span<const ProblemModel> elementwise_models();  ///< elementwise operators, reductions, copies

}  // namespace warpscope::analysis
