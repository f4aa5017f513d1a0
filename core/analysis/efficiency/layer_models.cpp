// Normalization, softmax, embedding and optimizers. All are memory-bound on any GPU, so bytes matter; operation counts
// follow the standard formulas.
#include <array>

#include "core/analysis/efficiency/problem.hpp"

namespace warpscope::analysis {

namespace layers {
namespace {

/// Returns the bytes of one-dimensional tensors: weights, biases, statistics.
double small_bytes(const Operands& operands) {
  double bytes = 0;
  for (const Operand& each : operands)
    if (each.is_tensor() && each.dims.size() == 1) bytes += each.bytes();
  return bytes;
}

/// Reads and writes `passes` tensors the size of the first input, and the weights once.
std::optional<Problem> over_first(ProblemKind kind, const Operands& operands, double factor, double passes) {
  const Operand& input = operands[0];
  if (!input.is_tensor()) return std::nullopt;
  Problem problem{.kind = kind, .dims = text_of(input.dims), .dtype = std::string(short_type(input.type))};
  problem.flops = factor * input.elements();
  problem.bytes = passes * input.bytes() + (input.dims.size() == 1 ? 0 : small_bytes(operands));
  return problem;
}

std::optional<Problem> normalization(const Operands& operands, const ModelInputs& inputs) {
  return over_first(ProblemKind::normalization, operands, inputs.factor, inputs.first);
}
std::optional<Problem> softmax(const Operands& operands, const ModelInputs& inputs) {
  return over_first(ProblemKind::softmax, operands, inputs.factor, inputs.first);
}

/// Reads and writes the selected rows.
std::optional<Problem> embedding(const Operands& operands, const ModelInputs&) {
  const Operand& weight = operands[0];
  const Operand& indices = operands[1];
  if (!weight.is_tensor() || !indices.is_tensor() || weight.dims.size() != 2) return std::nullopt;
  const double row = static_cast<double>(weight.dims[1]) * weight.element_size();
  return Problem{.kind = ProblemKind::embedding,
                 .dims = "weight=" + text_of(weight.dims) + " indices=" + text_of(indices.dims),
                 .dtype = std::string(short_type(weight.type)),
                 .bytes = indices.bytes() + 2 * indices.elements() * row};
}

/// Adds the gradient of each row to a new weight gradient, which is written completely.
std::optional<Problem> embedding_backward(const Operands& operands, const ModelInputs&) {
  const Operand& gradient = operands[0];
  const Operand& indices = operands[1];
  const auto rows = operands[2].integers();
  if (!gradient.is_tensor() || !indices.is_tensor() || gradient.dims.empty() || !rows || rows->size() != 1)
    return std::nullopt;
  const auto row = static_cast<double>(gradient.dims.back());
  return Problem{
      .kind = ProblemKind::embedding,
      .dims = "grad=" + text_of(gradient.dims) + " rows=" + std::to_string(rows->front()),
      .dtype = std::string(short_type(gradient.type)),
      .flops = gradient.elements(),
      .bytes = gradient.bytes() + indices.bytes() + static_cast<double>(rows->front()) * row * gradient.element_size()};
}

/// first: number of lists read; second: number of lists written. Traces do not record the types of tensors in lists.
std::optional<Problem> optimizer(const Operands& operands, const ModelInputs& inputs) {
  constexpr double kAssumedSize = 4;
  double elements = 0;
  for (const Dims& dims : operands[0].list) elements += elements_of(dims);
  if (operands[0].list.empty()) return std::nullopt;
  return Problem{.kind = ProblemKind::optimizer,
                 .dims = std::to_string(operands[0].list.size()) + " tensors, " +
                         std::to_string(static_cast<std::int64_t>(elements)) + " elements",
                 .dtype = "fp32 assumed",
                 .flops = inputs.factor * elements,
                 .bytes = elements * kAssumedSize * (inputs.first + inputs.second)};
}

constexpr std::array kModels{
    ProblemModel{"aten::native_layer_norm", normalization, {2, 0, 0, 0, 7}, true},
    ProblemModel{"aten::native_group_norm", normalization, {2, 0, 0, 0, 7}, true},
    ProblemModel{"aten::native_batch_norm", normalization, {2, 0, 0, 0, 7}, true},
    ProblemModel{"aten::cudnn_batch_norm", normalization, {2, 0, 0, 0, 7}, true},
    ProblemModel{"aten::miopen_batch_norm", normalization, {2, 0, 0, 0, 7}, true},
    ProblemModel{"aten::_fused_rms_norm", normalization, {2, 0, 0, 0, 4}, true},
    ProblemModel{"aten::native_layer_norm_backward", normalization, {3, 0, 0, 0, 12}, true},
    ProblemModel{"aten::native_group_norm_backward", normalization, {3, 0, 0, 0, 12}, true},
    ProblemModel{"aten::native_batch_norm_backward", normalization, {3, 0, 0, 0, 12}, true},
    ProblemModel{"aten::cudnn_batch_norm_backward", normalization, {3, 0, 0, 0, 12}, true},
    ProblemModel{"aten::miopen_batch_norm_backward", normalization, {3, 0, 0, 0, 12}, true},
    ProblemModel{"aten::_fused_rms_norm_backward", normalization, {3, 0, 0, 0, 8}, true},
    ProblemModel{"aten::_softmax", softmax, {2, 0, 0, 0, 5}, true},
    ProblemModel{"aten::_log_softmax", softmax, {2, 0, 0, 0, 5}, true},
    ProblemModel{"aten::_softmax_backward_data", softmax, {3, 0, 0, 0, 4}, true},
    ProblemModel{"aten::_log_softmax_backward_data", softmax, {3, 0, 0, 0, 4}, true},
    ProblemModel{"aten::embedding", embedding, {}, true},
    ProblemModel{"aten::embedding_dense_backward", embedding_backward, {}, true},
    ProblemModel{"aten::_foreach_add_", optimizer, {2, 1, 0, 0, 1}, true},
    ProblemModel{"aten::_foreach_sub_", optimizer, {2, 1, 0, 0, 1}, true},
    ProblemModel{"aten::_foreach_mul_", optimizer, {1, 1, 0, 0, 1}, true},
    ProblemModel{"aten::_foreach_div_", optimizer, {1, 1, 0, 0, 1}, true},
    ProblemModel{"aten::_foreach_sqrt", optimizer, {1, 1, 0, 0, 1}, true},
    ProblemModel{"aten::_foreach_lerp_", optimizer, {2, 1, 0, 0, 3}, true},
    ProblemModel{"aten::_foreach_addcmul_", optimizer, {3, 1, 0, 0, 3}, true},
    ProblemModel{"aten::_foreach_addcdiv_", optimizer, {3, 1, 0, 0, 3}, true},
    ProblemModel{"aten::_foreach_norm", optimizer, {1, 0, 0, 0, 2}, true},
    ProblemModel{"aten::_foreach_zero_", optimizer, {0, 1, 0, 0, 0}, true},
    ProblemModel{"aten::_foreach_copy_", optimizer, {1, 1, 0, 0, 0}, true},
    ProblemModel{"aten::_fused_sgd_", optimizer, {3, 2, 0, 0, 4}, true},
    ProblemModel{"aten::_fused_adam_", optimizer, {4, 3, 0, 0, 12}, true},
    ProblemModel{"aten::_fused_adamw_", optimizer, {4, 3, 0, 0, 13}, true},
};

}  // namespace
}  // namespace layers

std::span<const ProblemModel> layer_models() { return layers::kModels; }

}  // namespace warpscope::analysis
