// The table of operators and their formulas, and the formulas of operators that only pass through memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <vector>

#include "core/analysis/efficiency/problem.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/word_at.hpp"

namespace warpscope::analysis {

namespace {

/// Reads and writes `first` tensors of the size of the first input, and the one-dimensional tensors (weights, biases,
/// statistics) once.
std::optional<Problem> passes_work(const Operands& operands, const ModelInputs& inputs) {
  const Operand& input = operands[0];
  if (!input.is_tensor()) return std::nullopt;
  double bytes = inputs.first * input.bytes();
  for (const Operand& each : operands)
    if (each.is_tensor() && each.dims.size() == 1 && input.dims.size() != 1) bytes += each.bytes();
  return Problem{.dims = text_of(input.dims),
                 .dtype = input.short_type(),
                 .flops = inputs.factor * input.elements(),
                 .bytes = bytes};
}

/// Reads and writes the selected rows.
std::optional<Problem> embedding_work(const Operands& operands, const ModelInputs&) {
  const Operand& weight = operands[0];
  const Operand& indices = operands[1];
  if (!weight.is_tensor() || !indices.is_tensor() || weight.dims.size() != 2) return std::nullopt;
  const double row = static_cast<double>(weight.dims[1]) * weight.element_size();
  return Problem{.dims = "weight=" + text_of(weight.dims) + " indices=" + text_of(indices.dims),
                 .dtype = weight.short_type(),
                 .bytes = indices.bytes() + 2 * indices.elements() * row};
}

/// Adds the gradient of each row to a new weight gradient, which is written completely.
std::optional<Problem> embedding_backward_work(const Operands& operands, const ModelInputs&) {
  const Operand& gradient = operands[0];
  const Operand& indices = operands[1];
  const auto rows = operands[2].integers();
  if (!gradient.is_tensor() || !indices.is_tensor() || gradient.dims.empty() || !rows || rows->size() != 1)
    return std::nullopt;
  const double written = static_cast<double>(rows->front()) * static_cast<double>(gradient.dims.back());
  return Problem{.dims = "grad=" + text_of(gradient.dims) + " rows=" + std::to_string(rows->front()),
                 .dtype = gradient.short_type(),
                 .flops = gradient.elements(),
                 .bytes = gradient.bytes() + indices.bytes() + written * gradient.element_size()};
}

/// Reads `first` lists of tensors and writes `second` lists. Traces do not record the types of tensors in lists.
std::optional<Problem> optimizer_work(const Operands& operands, const ModelInputs& inputs) {
  constexpr double kAssumedSize = 4;
  const std::vector<Dims>& tensors = operands[0].list;
  if (tensors.empty()) return std::nullopt;
  double elements = 0;
  for (const Dims& dims : tensors) elements += elements_of(dims);
  return Problem{.dims = fmt::format("{} tensors, {} elements", tensors.size(), static_cast<std::int64_t>(elements)),
                 .dtype = "fp32 assumed",
                 .flops = inputs.factor * elements,
                 .bytes = elements * kAssumedSize * (inputs.first + inputs.second)};
}

/// Broadcasts a shape (last dimension first) with that of another input. Returns false if they are incompatible.
bool broadcast(Dims& shape, const Dims& with) {
  shape.resize(std::max(shape.size(), with.size()), 1);
  for (std::size_t d = 0; d < with.size(); ++d) {
    const std::int64_t size = with[with.size() - 1 - d];
    if (shape[d] == 1)
      shape[d] = size;
    else if (size != 1 && size != shape[d])
      return false;
  }
  return true;
}

bool is_floating(std::string_view type) { return type.starts_with("fp") || type.starts_with("bf"); }

/// Returns the types of the inputs if they differ: "bf16, fp32".
std::string types_text(const Operands& operands) {
  std::string text;
  for (const Operand& each : operands) {
    const std::string type = each.short_type();
    if (each.is_tensor() && !each.dims.empty() && text.find(type) == text.npos)
      text += (text.empty() ? "" : ", ") + type;
  }
  return text.empty() ? operands[0].short_type() : text;
}

/// Reads `second` inputs; a tensor after them is `out`, which receives the result. `first`: 1 if the result is of type
/// bool; 2 if it replaces the first input.
std::optional<Problem> elementwise_work(const Operands& all, const ModelInputs& inputs) {
  const Operands tensors = all.first_tensors(inputs.second);
  if (tensors.size() == 0) return std::nullopt;
  Dims shape;
  std::string type;  // of the largest floating-point input with dimensions, or else of the first input
  std::string shapes;
  bool differ = false;
  double bytes = 0;
  for (const Operand& each : tensors) {
    if (!broadcast(shape, each.dims)) return std::nullopt;
    const std::string own = each.short_type();
    if (type.empty() ||
        (!each.dims.empty() && is_floating(own) && (!is_floating(type) || size_of_type(own) > size_of_type(type))))
      type = own;
    shapes += (shapes.empty() ? "" : ", ") + text_of(each.dims);
    differ = differ || each.dims != tensors[0].dims;
    bytes += each.bytes();
  }
  const double elements = elements_of(shape);
  const double size = inputs.first == 1 ? 1 : inputs.first == 2 ? tensors[0].element_size() : size_of_type(type);
  return Problem{.dims = differ ? shapes : text_of(tensors[0].dims),
                 .dtype = types_text(tensors),
                 .flops = inputs.factor * elements,
                 .bytes = bytes + elements * size};
}

/// Writes the input `first` to the first input; 0: a constant.
std::optional<Problem> copy_work(const Operands& operands, const ModelInputs& inputs) {
  const Operand& from = operands[inputs.first];
  if (!operands[0].is_tensor() || !from.is_tensor()) return std::nullopt;
  return Problem{.dims = text_of(operands[0].dims),
                 .dtype = inputs.first == 0 ? operands[0].short_type() : types_text(operands),
                 .bytes = operands[0].bytes() + (inputs.first == 0 ? 0 : from.bytes())};
}

/// `first`: dimensions to reduce; all if absent.
std::optional<Problem> reduction_work(const Operands& operands, const ModelInputs& inputs) {
  const Operand& input = operands[0];
  const Operand& dimensions = operands[inputs.first];
  if (!input.is_tensor()) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(input.dims.size());
  double results = 1;
  std::string text = text_of(input.dims);
  if (dimensions.type == "ScalarList" || dimensions.type == "Scalar") {
    const auto reduced = dimensions.integers();
    if (!reduced) return std::nullopt;
    for (std::int64_t d = 0; d < rank; ++d)
      if (!reduced->empty() && std::ranges::find(*reduced, d) == reduced->end() &&
          std::ranges::find(*reduced, d - rank) == reduced->end())
        results *= static_cast<double>(input.dims[static_cast<std::size_t>(d)]);
    text += " over " + dimensions.value;
  }
  return Problem{.dims = std::move(text),
                 .dtype = input.short_type(),
                 .flops = input.elements(),
                 .bytes = input.bytes() + results * input.element_size()};
}

using enum ProblemKind;

constexpr std::array kModels{
    ProblemModel{"mm bmm", matrix_product, matrix_work, {0, 1}},
    ProblemModel{"addmm addmm_ _addmm_activation baddbmm baddbmm_", matrix_product, matrix_work, {1, 2}},
    ProblemModel{"linear", matrix_product, linear_work},
    ProblemModel{"_scaled_mm", matrix_product, scaled_work, {6, 4}},
    ProblemModel{"_grouped_mm _scaled_grouped_mm", matrix_product, grouped_work},
    ProblemModel{"convolution _convolution", convolution, convolution_work, {3, 4, 5, 6}, true},
    ProblemModel{"cudnn_convolution", convolution, convolution_work, {3, 2, 4, 0}, true},
    ProblemModel{"cudnn_convolution_relu", convolution, convolution_work, {3, 4, 5, 0}, true},
    ProblemModel{"miopen_convolution", convolution, convolution_work, {4, 3, 5, 0}, true},
    ProblemModel{"_conv_depthwise2d", convolution, convolution_work, {4, 5, 6, 0}, true},
    ProblemModel{"convolution_backward", convolution, convolution_backward_work, {0, 1, 2, 10}, true},
    ProblemModel{"cudnn_convolution_backward", convolution, convolution_backward_work, {1, 0, 2, 10}, true},
    ProblemModel{"_scaled_dot_product_flash_attention", attention, attention_work, {4}, true},
    ProblemModel{"_scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention",
                 attention,
                 attention_work,
                 {6},
                 true},
    ProblemModel{"_flash_attention_forward", attention, attention_work, {8, 1}, true},
    ProblemModel{"_efficient_attention_forward", attention, attention_work, {9, 1}, true},
    ProblemModel{"flash_attn::_flash_attn_forward", attention, attention_work, {5, 1}, true},
    ProblemModel{"_scaled_dot_product_flash_attention_backward _scaled_dot_product_efficient_attention_backward",
                 attention,
                 attention_work,
                 {11, 0, 1},
                 true},
    ProblemModel{"_scaled_dot_product_cudnn_attention_backward", attention, attention_work, {14, 0, 1}, true},
    ProblemModel{
        "_flash_attention_backward flash_attn::_flash_attn_backward", attention, attention_work, {11, 1, 1}, true},
    ProblemModel{"native_layer_norm native_group_norm native_batch_norm cudnn_batch_norm miopen_batch_norm",
                 normalization,
                 passes_work,
                 {.first = 2, .factor = 7},
                 true},
    ProblemModel{"native_layer_norm_backward native_group_norm_backward native_batch_norm_backward "
                 "cudnn_batch_norm_backward miopen_batch_norm_backward",
                 normalization,
                 passes_work,
                 {.first = 3, .factor = 12},
                 true},
    ProblemModel{"_fused_rms_norm", normalization, passes_work, {.first = 2, .factor = 4}, true},
    ProblemModel{"_fused_rms_norm_backward", normalization, passes_work, {.first = 3, .factor = 8}, true},
    ProblemModel{"_softmax _log_softmax", softmax, passes_work, {.first = 2, .factor = 5}, true},
    ProblemModel{
        "_softmax_backward_data _log_softmax_backward_data", softmax, passes_work, {.first = 3, .factor = 4}, true},
    ProblemModel{"embedding", embedding, embedding_work, {}, true},
    ProblemModel{"embedding_dense_backward", embedding, embedding_backward_work, {}, true},
    ProblemModel{"_foreach_add_ _foreach_sub_", optimizer, optimizer_work, {2, 1}, true},
    ProblemModel{"_foreach_mul_ _foreach_div_ _foreach_sqrt", optimizer, optimizer_work, {1, 1}, true},
    ProblemModel{"_foreach_lerp_", optimizer, optimizer_work, {2, 1, 0, 0, 3}, true},
    ProblemModel{"_foreach_addcmul_ _foreach_addcdiv_", optimizer, optimizer_work, {3, 1, 0, 0, 3}, true},
    ProblemModel{"_foreach_norm", optimizer, optimizer_work, {1, 0, 0, 0, 2}, true},
    ProblemModel{"_foreach_zero_", optimizer, optimizer_work, {0, 1, 0, 0, 0}, true},
    ProblemModel{"_foreach_copy_", optimizer, optimizer_work, {1, 1, 0, 0, 0}, true},
    ProblemModel{"_fused_sgd_", optimizer, optimizer_work, {3, 2, 0, 0, 4}, true},
    ProblemModel{"_fused_adam_", optimizer, optimizer_work, {4, 3, 0, 0, 12}, true},
    ProblemModel{"_fused_adamw_", optimizer, optimizer_work, {4, 3, 0, 0, 13}, true},
    ProblemModel{"neg abs exp log sqrt rsqrt sin cos tanh erf sigmoid relu clamp clamp_min silu gelu leaky_relu "
                 "reciprocal",
                 elementwise,
                 elementwise_work,
                 {0, 1}},
    ProblemModel{"clamp_min_", elementwise, elementwise_work, {2, 1}},
    ProblemModel{"logical_not isnan isfinite", elementwise, elementwise_work, {1, 1}},
    ProblemModel{"add sub rsub mul div pow maximum minimum masked_fill threshold_backward gelu_backward silu_backward "
                 "sigmoid_backward tanh_backward",
                 elementwise,
                 elementwise_work,
                 {0, 2}},
    ProblemModel{"add_ sub_ mul_ div_ masked_fill_", elementwise, elementwise_work, {2, 2}},
    ProblemModel{"eq ne lt le gt ge", elementwise, elementwise_work, {1, 2}},
    ProblemModel{"where", elementwise, elementwise_work, {0, 3}},
    ProblemModel{"addcmul addcdiv lerp", elementwise, elementwise_work, {0, 3, 0, 0, 3}},
    ProblemModel{"addcmul_ addcdiv_ lerp_", elementwise, elementwise_work, {2, 3, 0, 0, 3}},
    ProblemModel{"copy_", copy, copy_work, {1}},
    ProblemModel{"fill_ zero_", copy, copy_work, {0}},
    ProblemModel{"sum mean max min amax amin prod any all argmax argmin logsumexp", reduction, reduction_work, {1}},
    ProblemModel{"norm linalg_vector_norm", reduction, reduction_work, {2}},
};

}  // namespace

std::string_view to_string(ProblemKind kind) {
  static constexpr std::array<std::string_view, 10> kWords{
      "matrix product", "convolution", "attention",   "normalization", "softmax",
      "embedding",      "optimizer",   "elementwise", "reduction",     "copy"};
  return word_at(kWords, kind);
}

const ProblemModel* find_model(std::string_view op) {
  static const auto kByName = [] {
    std::map<std::string, const ProblemModel*, std::less<>> all;
    for (const ProblemModel& model : kModels)
      for (const std::string_view name : parts_of(model.ops, " "))
        all.emplace((name.find("::") == name.npos ? "aten::" : "") + std::string(name), &model);
    return all;
  }();
  const auto found = kByName.find(op);
  return found == kByName.end() ? nullptr : found->second;
}

}  // namespace warpscope::analysis
