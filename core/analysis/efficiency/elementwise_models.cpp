// Elementwise operators, reductions and copies: they read each input and write the result once.
#include <algorithm>
#include <array>

#include "core/analysis/efficiency/problem.hpp"

namespace warpscope::analysis {

namespace element_by_element {
namespace {

/// Returns the broadcast shape of the inputs; nullopt if they are incompatible.
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

/// Returns the result type: that of the largest floating-point input with dimensions, or else of the first input.
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

/// Returns the shapes of the inputs if they differ: "16x559x1024, 16x559x1".
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

/// Returns the types of the inputs if they differ: "bf16, fp32".
std::string types_text(const Operands& operands) {
  std::string text;
  for (const Operand& each : operands) {
    const std::string_view type = short_type(each.type);
    if (each.is_tensor() && !each.dims.empty() && text.find(type) == text.npos)
      text += (text.empty() ? "" : ", ") + std::string(type);
  }
  return text.empty() && operands.size() > 0 ? std::string(short_type(operands[0].type)) : text;
}

/// first: 1 if the result is of type bool; 2 if it replaces the first input. second: number of inputs; a tensor after
/// them is `out`, which receives the result. factor: operations per element.
std::optional<Problem> elementwise(const Operands& all, const ModelInputs& inputs) {
  const Operands operands = all.first_tensors(inputs.second);
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

/// Writes the second input to the first.
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

/// first: dimensions to reduce; all if absent.
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

constexpr ModelInputs kOneInput{0, 1, 0, 0, 1};
constexpr ModelInputs kOneInPlace{2, 1, 0, 0, 1};
constexpr ModelInputs kOneToBool{1, 1, 0, 0, 1};
constexpr ModelInputs kTwoInputs{0, 2, 0, 0, 1};
constexpr ModelInputs kTwoInPlace{2, 2, 0, 0, 1};
constexpr ModelInputs kTwoToBool{1, 2, 0, 0, 1};
constexpr ModelInputs kThreeInputs{0, 3, 0, 0, 1};

constexpr std::array kModels{
    ProblemModel{"aten::add", elementwise, kTwoInputs},
    ProblemModel{"aten::add_", elementwise, kTwoInPlace},
    ProblemModel{"aten::sub", elementwise, kTwoInputs},
    ProblemModel{"aten::sub_", elementwise, kTwoInPlace},
    ProblemModel{"aten::rsub", elementwise, kTwoInputs},
    ProblemModel{"aten::mul", elementwise, kTwoInputs},
    ProblemModel{"aten::mul_", elementwise, kTwoInPlace},
    ProblemModel{"aten::div", elementwise, kTwoInputs},
    ProblemModel{"aten::div_", elementwise, kTwoInPlace},
    ProblemModel{"aten::pow", elementwise, kTwoInputs},
    ProblemModel{"aten::neg", elementwise, kOneInput},
    ProblemModel{"aten::abs", elementwise, kOneInput},
    ProblemModel{"aten::exp", elementwise, kOneInput},
    ProblemModel{"aten::log", elementwise, kOneInput},
    ProblemModel{"aten::sqrt", elementwise, kOneInput},
    ProblemModel{"aten::rsqrt", elementwise, kOneInput},
    ProblemModel{"aten::sin", elementwise, kOneInput},
    ProblemModel{"aten::cos", elementwise, kOneInput},
    ProblemModel{"aten::tanh", elementwise, kOneInput},
    ProblemModel{"aten::erf", elementwise, kOneInput},
    ProblemModel{"aten::sigmoid", elementwise, kOneInput},
    ProblemModel{"aten::relu", elementwise, kOneInput},
    ProblemModel{"aten::clamp", elementwise, kOneInput},
    ProblemModel{"aten::clamp_min", elementwise, kOneInput},
    ProblemModel{"aten::clamp_min_", elementwise, kOneInPlace},
    ProblemModel{"aten::silu", elementwise, kOneInput},
    ProblemModel{"aten::gelu", elementwise, kOneInput},
    ProblemModel{"aten::leaky_relu", elementwise, kOneInput},
    ProblemModel{"aten::reciprocal", elementwise, kOneInput},
    ProblemModel{"aten::maximum", elementwise, kTwoInputs},
    ProblemModel{"aten::minimum", elementwise, kTwoInputs},
    ProblemModel{"aten::where", elementwise, kThreeInputs},
    ProblemModel{"aten::masked_fill", elementwise, kTwoInputs},
    ProblemModel{"aten::masked_fill_", elementwise, kTwoInPlace},
    ProblemModel{"aten::addcmul", elementwise, {0, 3, 0, 0, 3}},
    ProblemModel{"aten::addcmul_", elementwise, {2, 3, 0, 0, 3}},
    ProblemModel{"aten::addcdiv", elementwise, {0, 3, 0, 0, 3}},
    ProblemModel{"aten::addcdiv_", elementwise, {2, 3, 0, 0, 3}},
    ProblemModel{"aten::lerp", elementwise, {0, 3, 0, 0, 3}},
    ProblemModel{"aten::lerp_", elementwise, {2, 3, 0, 0, 3}},
    ProblemModel{"aten::threshold_backward", elementwise, kTwoInputs},
    ProblemModel{"aten::gelu_backward", elementwise, kTwoInputs},
    ProblemModel{"aten::silu_backward", elementwise, kTwoInputs},
    ProblemModel{"aten::sigmoid_backward", elementwise, kTwoInputs},
    ProblemModel{"aten::tanh_backward", elementwise, kTwoInputs},
    ProblemModel{"aten::eq", elementwise, kTwoToBool},
    ProblemModel{"aten::ne", elementwise, kTwoToBool},
    ProblemModel{"aten::lt", elementwise, kTwoToBool},
    ProblemModel{"aten::le", elementwise, kTwoToBool},
    ProblemModel{"aten::gt", elementwise, kTwoToBool},
    ProblemModel{"aten::ge", elementwise, kTwoToBool},
    ProblemModel{"aten::logical_not", elementwise, kOneToBool},
    ProblemModel{"aten::isnan", elementwise, kOneToBool},
    ProblemModel{"aten::isfinite", elementwise, kOneToBool},
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
