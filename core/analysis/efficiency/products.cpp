// Formulas of matrix products, convolutions and attention.
#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/efficiency/problem.hpp"

namespace warpscope::analysis {

namespace {

const Operand kNothing;

double at(const Operand& operand, std::size_t dimension) { return static_cast<double>(operand.dims[dimension]); }

struct Sizes {
  double batch = 1, m = 0, n = 0, k = 0;
};

/// Returns the sizes of a product of matrices or batches of them; nullopt for other shapes.
std::optional<Sizes> sizes_of(const Operand& a, const Operand& b) {
  const std::size_t of_a = a.dims.size();
  const std::size_t of_b = b.dims.size();
  if (!a.is_tensor() || !b.is_tensor() || of_a < 2 || of_a > 3 || of_b < 2 || of_b > 3) return std::nullopt;
  return Sizes{of_a == 3 && of_b == 3 ? at(a, 0) : 1, at(a, of_a - 2), at(b, of_b - 1), at(a, of_a - 1)};
}

/// 2·M·N·K operations, plus M·N for an added bias or matrix. `output`: short name of the result type.
Problem product(const Sizes& of, const Operand& a, const Operand& b, std::string_view output,
                const Operand& added = kNothing) {
  const double results = of.batch * of.m * of.n;
  const bool adds = added.is_tensor();
  return {.dims = fmt::format("{}M={:.0f} N={:.0f} K={:.0f}", of.batch == 1 ? "" : fmt::format("B={:.0f} ", of.batch),
                              of.m, of.n, of.k),
          .dtype = a.short_type(),
          .flops = 2 * results * of.k + (adds ? results : 0),
          .bytes = a.bytes() + b.bytes() + results * size_of_type(output) + (adds ? added.bytes() : 0)};
}

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
    if (std::min({in[d], kernel[d], stride, padding + 1, dilation}) < 1) return std::nullopt;
    if (std::max({in[d], kernel[d], stride, padding, dilation}) > kLargest) return std::nullopt;
    const std::int64_t reach = dilation * (kernel[d] - 1) + 1;
    const std::int64_t size =
        of.transposed ? (in[d] - 1) * stride - 2 * padding + reach + of_dimension(of.output_padding, d - 2, 0)
                      : (in[d] + 2 * padding - reach) / stride + 1;
    if (size < 1) return std::nullopt;
    out.push_back(size);
  }
  return out;
}

/// Each output element is a sum over the kernel and the input channels of its group; a transposed convolution scatters
/// each input element instead. Counts `passes` of them, without bias.
Problem convolved(const Operand& input, const Operand& weight, const Dims& output, bool transposed, double passes) {
  const double per_channel =
      weight.dims.empty() || weight.dims[0] == 0 ? 0 : weight.elements() / static_cast<double>(weight.dims[0]);
  return {.dims = fmt::format("in={} weight={} out={}", text_of(input.dims), text_of(weight.dims), text_of(output)),
          .dtype = input.short_type(),
          .flops = passes * (2 * (transposed ? input.elements() : elements_of(output)) * per_channel)};
}

}  // namespace

std::optional<Problem> matrix_work(const Operands& operands, const ModelInputs& inputs) {
  const Operand& a = operands[inputs.first];
  const Operand& b = operands[inputs.second];
  const auto sizes = sizes_of(a, b);
  if (!sizes || a.dims.size() != b.dims.size()) return std::nullopt;
  return product(*sizes, a, b, a.short_type(), inputs.first == 0 ? kNothing : operands[0]);
}

std::optional<Problem> linear_work(const Operands& operands, const ModelInputs&) {
  const Operand& a = operands[0];
  const Operand& weight = operands[1];
  if (!a.is_tensor() || !weight.is_tensor() || a.dims.empty() || weight.dims.size() != 2) return std::nullopt;
  const double k = at(a, a.dims.size() - 1);
  const double m = k > 0 ? a.elements() / k : 0;
  return product({1, m, at(weight, 0), k}, a, weight, a.short_type(), operands[2]);
}

std::optional<Problem> scaled_work(const Operands& operands, const ModelInputs& inputs) {
  const Operand& a = operands[0];
  auto sizes = sizes_of(a, operands[1]);
  if (!sizes) return std::nullopt;
  if (a.short_type() == "fp4") sizes->k *= 2;  // two values in each element
  const std::string& number = operands[inputs.first].value;
  const std::string_view output = number == "5" ? "fp16" : number == "6" ? "fp32" : "bf16";
  const Operand& bias = operands[inputs.second];
  return product(*sizes, a, operands[1], output, bias.dims.size() == 1 ? bias : kNothing);
}

/// Groups share the rows or columns of one matrix.
std::optional<Problem> grouped_work(const Operands& operands, const ModelInputs&) {
  const Operand& a = operands[0];
  const Operand& b = operands[1];
  const auto sizes = sizes_of(a, b);
  if (!sizes) return std::nullopt;
  const std::string type = a.short_type() == "fp8" ? "bf16" : a.short_type();
  Problem problem = product(*sizes, a, b, type);
  // If K is split, each group has a separate result.
  if (a.dims.size() == 2 && b.dims.size() == 2 && !operands[2].dims.empty())
    problem.bytes += (at(operands[2], 0) - 1) * sizes->m * sizes->n * size_of_type(type);
  return problem;
}

std::optional<Problem> convolution_work(const Operands& operands, const ModelInputs& inputs) {
  const Operand& input = operands[0];
  const Operand& weight = operands[1];
  const auto stride = operands[inputs.first].integers();
  const auto padding = operands[inputs.second].integers();
  const auto dilation = operands[inputs.third].integers();
  if (!input.is_tensor() || !weight.is_tensor() || !stride || !padding || !dilation) return std::nullopt;
  Geometry of{.stride = *stride, .padding = *padding, .dilation = *dilation};
  if (inputs.fourth != 0 && operands[inputs.fourth].flag().value_or(false)) {
    const auto groups = operands[inputs.fourth + 2u].integers();
    of.transposed = true;
    of.output_padding = operands[inputs.fourth + 1u].integers().value_or(Dims{});
    of.groups = groups && groups->size() == 1 ? groups->front() : 1;
  }
  const auto output = output_of(input.dims, weight.dims, of);
  if (!output) return std::nullopt;
  Problem problem = convolved(input, weight, *output, of.transposed, 1);
  problem.bytes = input.bytes() + weight.bytes() + elements_of(*output) * input.element_size();
  const Operand& bias = operands[2];
  if (bias.is_tensor() && bias.dims.size() == 1) {
    problem.flops += elements_of(*output);
    problem.bytes += bias.bytes();
  }
  return problem;
}

/// Computes the input gradient, the weight gradient, or both, each with as many operations as the forward pass.
std::optional<Problem> convolution_backward_work(const Operands& operands, const ModelInputs& inputs) {
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
  Problem problem = convolved(input, weight, gradient.dims, transposed, passes);
  problem.bytes = gradient.bytes() + passes * (input.bytes() + weight.bytes());
  return problem;
}

/// Two products of queries, keys and values. The backward pass recomputes the scores and computes four gradients, for a
/// total of five products. The output is not stored between the products (FlashAttention), so only the inputs, the
/// output and their gradients pass through memory. A causal mask halves the products.
std::optional<Problem> attention_work(const Operands& operands, const ModelInputs& inputs) {
  const bool backward = inputs.third == 1;
  const Operand& query = operands[backward ? 1 : 0];
  const Operand& key = operands[backward ? 2 : 1];
  const Operand& value = operands[backward ? 3 : 2];
  for (const Operand* const each : {&query, &key, &value})
    if (!each->is_tensor() || each->dims.size() != 4) return std::nullopt;
  const std::size_t heads_at = inputs.second == 1 ? 2 : 1;
  const std::size_t tokens_at = 3 - heads_at;
  const double batch = at(query, 0);
  const double heads = at(query, heads_at);
  const double queries = at(query, tokens_at);
  const double keys = at(key, tokens_at);
  const double query_size = at(query, 3);
  const double value_size = at(value, 3);
  // Memory-efficient attention uses a number instead: 0 for no mask, 1 and 2 for causal masks.
  const std::string& mask = operands[inputs.first].value;
  const bool causal = mask == "True" || mask == "1" || mask == "2";
  Problem problem{.dtype = query.short_type()};
  problem.flops = 2 * batch * heads * queries * keys *
                  (backward ? 3 * query_size + 2 * value_size : query_size + value_size) / (causal ? 2 : 1);
  problem.dims = fmt::format("B={:.0f} H={:.0f} Nq={:.0f} Nkv={:.0f} d={:.0f}{}{}", batch, heads, queries, keys,
                             query_size, value_size == query_size ? "" : fmt::format("/{:.0f}", value_size),
                             causal         ? " causal"
                             : mask.empty() ? " mask not recorded"
                                            : "");
  const double output = batch * heads * queries * value_size * query.element_size();
  problem.bytes = query.bytes() + key.bytes() + value.bytes() + output;
  if (backward) problem.bytes += operands[0].bytes() + query.bytes() + key.bytes() + value.bytes();
  return problem;
}

}  // namespace warpscope::analysis
