// Convolutions: each output element is a sum over the kernel and the input channels of its group; a transposed
// convolution scatters each input element instead. The backward pass computes the input gradient, the weight gradient,
// or both, each with as many operations as the forward pass.
#include <fmt/format.h>

#include <array>

#include "core/analysis/efficiency/problem.hpp"

namespace warpscope::analysis {

namespace convolutions {
namespace {

struct Geometry {
  Dims stride, padding, dilation;
  Dims output_padding{};
  std::int64_t groups = 1;
  bool transposed = false;
};

constexpr std::int64_t kLargest = std::int64_t{1} << 30;

/// Returns the value for one dimension; a single number applies to all.
std::int64_t of_dimension(const Dims& values, std::size_t dimension, std::int64_t otherwise) {
  if (values.empty()) return otherwise;
  return dimension < values.size() ? values[dimension] : values.back();
}

/// Returns the output shape; nullopt if the inputs are inconsistent.
std::optional<Dims> output_of(const Dims& in, const Dims& kernel, const Geometry& of) {
  if (in.size() < 3 || in.size() != kernel.size()) return std::nullopt;
  Dims out{in[0], of.transposed ? kernel[1] * of.groups : kernel[0]};
  for (std::size_t d = 2; d < in.size(); ++d) {
    const std::int64_t stride = of_dimension(of.stride, d - 2, 1);
    const std::int64_t padding = of_dimension(of.padding, d - 2, 0);
    const std::int64_t dilation = of_dimension(of.dilation, d - 2, 1);
    if (in[d] < 1 || kernel[d] < 1 || stride < 1 || padding < 0 || dilation < 1) return std::nullopt;
    for (const std::int64_t size : {in[d], kernel[d], stride, padding, dilation})
      if (size > kLargest) return std::nullopt;
    const std::int64_t reach = dilation * (kernel[d] - 1) + 1;
    const std::int64_t size =
        of.transposed ? (in[d] - 1) * stride - 2 * padding + reach + of_dimension(of.output_padding, d - 2, 0)
                      : (in[d] + 2 * padding - reach) / stride + 1;
    if (size < 1) return std::nullopt;
    out.push_back(size);
  }
  return out;
}

/// Returns the operations of the forward pass, without bias.
double operations(const Operand& input, const Operand& weight, const Dims& output, bool transposed) {
  if (weight.dims.empty() || weight.dims[0] == 0) return 0;
  const double per_channel = weight.elements() / static_cast<double>(weight.dims[0]);
  return 2 * (transposed ? input.elements() : elements_of(output)) * per_channel;
}

Problem described(const Operand& input, const Operand& weight, const Dims& output) {
  return {.kind = ProblemKind::convolution,
          .dims = fmt::format("in={} weight={} out={}", text_of(input.dims), text_of(weight.dims), text_of(output)),
          .dtype = std::string(short_type(input.type))};
}

/// first: stride; second: padding; third: dilation; fourth: transposed flag, followed by output padding and groups; 0
/// if the operator is never transposed.
std::optional<Problem> forward(const Operands& operands, const ModelInputs& inputs) {
  const Operand& input = operands[0];
  const Operand& weight = operands[1];
  if (!input.is_tensor() || !weight.is_tensor()) return std::nullopt;
  const auto stride = operands[inputs.first].integers();
  const auto padding = operands[inputs.second].integers();
  const auto dilation = operands[inputs.third].integers();
  if (!stride || !padding || !dilation) return std::nullopt;
  Geometry of{.stride = *stride, .padding = *padding, .dilation = *dilation};
  if (inputs.fourth != 0 && operands[inputs.fourth].flag().value_or(false)) {
    const auto groups = operands[inputs.fourth + 2u].integers();
    of.transposed = true;
    of.output_padding = operands[inputs.fourth + 1u].integers().value_or(Dims{});
    of.groups = groups && groups->size() == 1 ? groups->front() : 1;
  }
  const auto output = output_of(input.dims, weight.dims, of);
  if (!output) return std::nullopt;
  Problem problem = described(input, weight, *output);
  problem.flops = operations(input, weight, *output, of.transposed);
  problem.bytes = input.bytes() + weight.bytes() + elements_of(*output) * input.element_size();
  const Operand& bias = operands[2];
  if (bias.is_tensor() && bias.dims.size() == 1) {
    problem.flops += elements_of(*output);
    problem.bytes += bias.bytes();
  }
  return problem;
}

/// first: gradient of the output; second: input; third: weight; fourth: mask of requested gradients.
std::optional<Problem> backward(const Operands& operands, const ModelInputs& inputs) {
  const Operand& gradient = operands[inputs.first];
  const Operand& input = operands[inputs.second];
  const Operand& weight = operands[inputs.third];
  if (!gradient.is_tensor() || !input.is_tensor() || !weight.is_tensor()) return std::nullopt;
  // "[True, False, False]": gradients of the input, the weight and the bias; if not recorded, the first two are
  // assumed.
  const std::string& wanted = operands[inputs.fourth].value;
  const bool of_input = !wanted.starts_with("[False");
  const std::size_t comma = wanted.find(',');
  const bool of_weight = comma == wanted.npos || wanted.compare(comma, 7, ", False") != 0;
  const bool transposed = inputs.first == 0 && operands[7].flag().value_or(false);
  const double passes = (of_input ? 1 : 0) + (of_weight ? 1 : 0);
  Problem problem = described(input, weight, gradient.dims);
  problem.flops = passes * operations(input, weight, gradient.dims, transposed);
  problem.bytes = gradient.bytes() + passes * (input.bytes() + weight.bytes());
  return problem;
}

constexpr std::array kModels{
    ProblemModel{"aten::convolution", forward, {3, 4, 5, 6}, true},
    ProblemModel{"aten::_convolution", forward, {3, 4, 5, 6}, true},
    ProblemModel{"aten::cudnn_convolution", forward, {3, 2, 4, 0}, true},
    ProblemModel{"aten::cudnn_convolution_relu", forward, {3, 4, 5, 0}, true},
    ProblemModel{"aten::miopen_convolution", forward, {4, 3, 5, 0}, true},
    ProblemModel{"aten::_conv_depthwise2d", forward, {4, 5, 6, 0}, true},
    ProblemModel{"aten::convolution_backward", backward, {0, 1, 2, 10}, true},
    ProblemModel{"aten::cudnn_convolution_backward", backward, {1, 0, 2, 10}, true},
};

}  // namespace
}  // namespace convolutions

std::span<const ProblemModel> convolution_models() { return convolutions::kModels; }

}  // namespace warpscope::analysis
