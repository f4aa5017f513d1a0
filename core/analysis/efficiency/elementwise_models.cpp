// Elementwise operators, reductions and copies: they read each input and write the result once.
#include <algorithm>
#include <array>

#include "core/analysis/efficiency/problem.hpp"

namespace warpscope::analysis {

namespace element_by_element {
namespace {

/// Shape of the result of inputs that broadcast; nullopt if they do not fit.
std::optional<Dims> broadcast(const Operands& operands) {
  Dims shape;  // last dimension first
  for (const Operand& each : operands) {
    if (!each.is_tensor()) continue;
    for (std::size_t d = 0; d < each.dims.size(); ++d) {
      const std::int64_t size = each.dims[each.dims.size() - 1 - d];
      if (d == shape.size())
        shape.push_back(size);
      else if (shape[d] == 1)
        shape[d] = size;
      else if (size != 1 && size != shape[d])
        return std::nullopt;
    }
  }
  std::ranges::reverse(shape);
  return shape;
}

bool is_floating(std::string_view type) { return type.starts_with("fp") || type.starts_with("bf"); }

/// Type of the result: that of the largest floating-point input with dimensions, else of the first input.
std::string_view result_type(const Operands& operands) {
  std::string_view found;
  for (const Operand& each : operands) {
    const std::string_view type = short_type(each.type);
    if (!each.is_tensor()) continue;
    if (found.empty() ||
        (!each.dims.empty() && is_floating(type) && (!is_floating(found) || size_of_type(type) > size_of_type(found))))
      found = type;
  }
  return found;
}

double input_bytes(const Operands& operands) {
  double bytes = 0;
  for (const Operand& each : operands)
    if (each.is_tensor()) bytes += each.bytes();
  return bytes;
}

/// The shapes of the inputs if they differ: "16x559x1024, 16x559x1".
std::string shapes_text(const Operands& operands) {
  std::string text;
  const Operand* first = nullptr;
  bool differ = false;
  for (const Operand& each : operands) {
    if (!each.is_tensor()) continue;
    if (first != nullptr) text += ", ";
    text += text_of(each.dims);
    differ = differ || (first != nullptr && each.dims != first->dims);
    if (first == nullptr) first = &each;
  }
  return differ || first == nullptr ? text : text_of(first->dims);
}

/// The types of the inputs if they differ: "bf16, fp32".
std::string types_text(const Operands& operands) {
  std::string text;
  for (const Operand& each : operands) {
    const std::string_view type = short_type(each.type);
    if (each.is_tensor() && !each.dims.empty() && text.find(type) == text.npos)
      text += (text.empty() ? "" : ", ") + std::string(type);
  }
  return text.empty() && operands.size() > 0 ? std::string(short_type(operands[0].type)) : text;
}

/// first: 1 if the result is of type bool; 2 if it replaces the first input. factor: operations an element.
std::optional<Problem> elementwise(const Operands& operands, const ModelInputs& inputs) {
  const auto shape = broadcast(operands);
  const std::string_view type = result_type(operands);
  if (!shape || type.empty()) return std::nullopt;
  const double elements = elements_of(*shape);
  const double size = inputs.first == 1 ? 1 : inputs.first == 2 ? operands[0].element_size() : size_of_type(type);
  return Problem{.kind = ProblemKind::elementwise,
                 .dims = shapes_text(operands),
                 .dtype = types_text(operands),
                 .flops = inputs.factor * elements,
                 .bytes = input_bytes(operands) + elements * size};
}

/// The second input is written to the first.
std::optional<Problem> copy(const Operands& operands, const ModelInputs&) {
  if (!operands[0].is_tensor() || !operands[1].is_tensor()) return std::nullopt;
  return Problem{.kind = ProblemKind::copy,
                 .dims = text_of(operands[0].dims),
                 .dtype = types_text(operands),
                 .bytes = operands[0].bytes() + operands[1].bytes()};
}

std::optional<Problem> fill(const Operands& operands, const ModelInputs&) {
  if (!operands[0].is_tensor()) return std::nullopt;
  return Problem{.kind = ProblemKind::copy,
                 .dims = text_of(operands[0].dims),
                 .dtype = std::string(short_type(operands[0].type)),
                 .bytes = operands[0].bytes()};
}

/// first: the dimensions that are summed up, all if absent.
std::optional<Problem> reduction(const Operands& operands, const ModelInputs& inputs) {
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
  return Problem{.kind = ProblemKind::reduction,
                 .dims = std::move(text),
                 .dtype = std::string(short_type(input.type)),
                 .flops = input.elements(),
                 .bytes = input.bytes() + results * input.element_size()};
}

constexpr ModelInputs kNew{0, 0, 0, 0, 1};
constexpr ModelInputs kBool{1, 0, 0, 0, 1};
constexpr ModelInputs kInPlace{2, 0, 0, 0, 1};

constexpr std::array kModels{
    ProblemModel{"aten::add", elementwise, kNew},
    ProblemModel{"aten::add_", elementwise, kInPlace},
    ProblemModel{"aten::sub", elementwise, kNew},
    ProblemModel{"aten::sub_", elementwise, kInPlace},
    ProblemModel{"aten::rsub", elementwise, kNew},
    ProblemModel{"aten::mul", elementwise, kNew},
    ProblemModel{"aten::mul_", elementwise, kInPlace},
    ProblemModel{"aten::div", elementwise, kNew},
    ProblemModel{"aten::div_", elementwise, kInPlace},
    ProblemModel{"aten::pow", elementwise, kNew},
    ProblemModel{"aten::neg", elementwise, kNew},
    ProblemModel{"aten::abs", elementwise, kNew},
    ProblemModel{"aten::exp", elementwise, kNew},
    ProblemModel{"aten::log", elementwise, kNew},
    ProblemModel{"aten::sqrt", elementwise, kNew},
    ProblemModel{"aten::rsqrt", elementwise, kNew},
    ProblemModel{"aten::sin", elementwise, kNew},
    ProblemModel{"aten::cos", elementwise, kNew},
    ProblemModel{"aten::tanh", elementwise, kNew},
    ProblemModel{"aten::erf", elementwise, kNew},
    ProblemModel{"aten::sigmoid", elementwise, kNew},
    ProblemModel{"aten::relu", elementwise, kNew},
    ProblemModel{"aten::clamp", elementwise, kNew},
    ProblemModel{"aten::clamp_min", elementwise, kNew},
    ProblemModel{"aten::clamp_min_", elementwise, kInPlace},
    ProblemModel{"aten::silu", elementwise, kNew},
    ProblemModel{"aten::gelu", elementwise, kNew},
    ProblemModel{"aten::leaky_relu", elementwise, kNew},
    ProblemModel{"aten::reciprocal", elementwise, kNew},
    ProblemModel{"aten::maximum", elementwise, kNew},
    ProblemModel{"aten::minimum", elementwise, kNew},
    ProblemModel{"aten::where", elementwise, kNew},
    ProblemModel{"aten::masked_fill", elementwise, kNew},
    ProblemModel{"aten::masked_fill_", elementwise, kInPlace},
    ProblemModel{"aten::addcmul", elementwise, {0, 0, 0, 0, 3}},
    ProblemModel{"aten::addcmul_", elementwise, {2, 0, 0, 0, 3}},
    ProblemModel{"aten::addcdiv", elementwise, {0, 0, 0, 0, 3}},
    ProblemModel{"aten::addcdiv_", elementwise, {2, 0, 0, 0, 3}},
    ProblemModel{"aten::lerp", elementwise, {0, 0, 0, 0, 3}},
    ProblemModel{"aten::lerp_", elementwise, {2, 0, 0, 0, 3}},
    ProblemModel{"aten::threshold_backward", elementwise, kNew},
    ProblemModel{"aten::gelu_backward", elementwise, kNew},
    ProblemModel{"aten::silu_backward", elementwise, kNew},
    ProblemModel{"aten::sigmoid_backward", elementwise, kNew},
    ProblemModel{"aten::tanh_backward", elementwise, kNew},
    ProblemModel{"aten::eq", elementwise, kBool},
    ProblemModel{"aten::ne", elementwise, kBool},
    ProblemModel{"aten::lt", elementwise, kBool},
    ProblemModel{"aten::le", elementwise, kBool},
    ProblemModel{"aten::gt", elementwise, kBool},
    ProblemModel{"aten::ge", elementwise, kBool},
    ProblemModel{"aten::logical_not", elementwise, kBool},
    ProblemModel{"aten::isnan", elementwise, kBool},
    ProblemModel{"aten::isfinite", elementwise, kBool},
    ProblemModel{"aten::copy_", copy},
    ProblemModel{"aten::fill_", fill},
    ProblemModel{"aten::zero_", fill},
    ProblemModel{"aten::sum", reduction, {1}},
    ProblemModel{"aten::mean", reduction, {1}},
    ProblemModel{"aten::max", reduction, {1}},
    ProblemModel{"aten::min", reduction, {1}},
    ProblemModel{"aten::amax", reduction, {1}},
    ProblemModel{"aten::amin", reduction, {1}},
    ProblemModel{"aten::prod", reduction, {1}},
    ProblemModel{"aten::any", reduction, {1}},
    ProblemModel{"aten::all", reduction, {1}},
    ProblemModel{"aten::argmax", reduction, {1}},
    ProblemModel{"aten::argmin", reduction, {1}},
    ProblemModel{"aten::logsumexp", reduction, {1}},
    ProblemModel{"aten::norm", reduction, {2}},
    ProblemModel{"aten::linalg_vector_norm", reduction, {2}},
};

}  // namespace
}  // namespace element_by_element

std::span<const ProblemModel> elementwise_models() { return element_by_element::kModels; }

}  // namespace warpscope::analysis
