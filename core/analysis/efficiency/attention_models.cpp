// Attention: two products of queries, keys and values in the forward pass. The backward pass recomputes the scores and
// computes four gradients, for a total of five products. The output is not stored between the products
// (FlashAttention), so only the inputs, the output and their gradients pass through memory. A causal mask halves the
// products.
#include <fmt/format.h>

#include <array>

#include "core/analysis/efficiency/problem.hpp"

namespace warpscope::analysis {

namespace attentions {
namespace {

enum class Layout : std::uint8_t { heads_first, tokens_first };

struct Attention {
  const Operand& query;
  const Operand& key;
  const Operand& value;
  Layout layout;
  const Operand& causal;
};

/// Returns a problem with `by_query_size` products over the query size and `by_value_size` products over the value
/// size.
std::optional<Problem> attention(const Attention& of, double by_query_size, double by_value_size) {
  for (const Operand* const each : {&of.query, &of.key, &of.value})
    if (!each->is_tensor() || each->dims.size() != 4) return std::nullopt;
  const std::size_t heads_at = of.layout == Layout::heads_first ? 1 : 2;
  const std::size_t tokens_at = 3 - heads_at;
  const auto size = [](const Operand& operand, std::size_t d) { return static_cast<double>(operand.dims[d]); };
  const double batch = size(of.query, 0);
  const double heads = size(of.query, heads_at);
  const double queries = size(of.query, tokens_at);
  const double keys = size(of.key, tokens_at);
  const double query_size = size(of.query, 3);
  const double value_size = size(of.value, 3);
  // Memory-efficient attention uses a number instead: 0 for no mask, 1 and 2 for causal masks.
  const std::string& mask = of.causal.value;
  const bool causal = mask == "True" || mask == "1" || mask == "2";
  Problem problem{.kind = ProblemKind::attention, .dtype = std::string(short_type(of.query.type))};
  problem.flops =
      2 * batch * heads * queries * keys * (by_query_size * query_size + by_value_size * value_size) / (causal ? 2 : 1);
  problem.dims = fmt::format("B={:.0f} H={:.0f} Nq={:.0f} Nkv={:.0f} d={:.0f}{}{}", batch, heads, queries, keys,
                             query_size, value_size == query_size ? "" : fmt::format("/{:.0f}", value_size),
                             causal         ? " causal"
                             : mask.empty() ? " mask not recorded"
                                            : "");
  const double output = batch * heads * queries * value_size * of.query.element_size();
  problem.bytes = of.query.bytes() + of.key.bytes() + of.value.bytes() + output;
  return problem;
}

/// first: whether the mask is causal; second: 1 for tokens before heads.
std::optional<Problem> forward(const Operands& operands, const ModelInputs& inputs) {
  const Layout layout = inputs.second == 1 ? Layout::tokens_first : Layout::heads_first;
  return attention({operands[0], operands[1], operands[2], layout, operands[inputs.first]}, 1, 1);
}

/// Same, but the output gradient comes first.
std::optional<Problem> backward(const Operands& operands, const ModelInputs& inputs) {
  const Layout layout = inputs.second == 1 ? Layout::tokens_first : Layout::heads_first;
  auto problem = attention({operands[1], operands[2], operands[3], layout, operands[inputs.first]}, 3, 2);
  // Reads the inputs, the output and its gradient; writes the gradients of the inputs.
  if (problem) problem->bytes += operands[0].bytes() + operands[1].bytes() + operands[2].bytes() + operands[3].bytes();
  return problem;
}

constexpr std::array kModels{
    ProblemModel{"aten::_scaled_dot_product_flash_attention", forward, {4, 0}, true},
    ProblemModel{"aten::_scaled_dot_product_efficient_attention", forward, {6, 0}, true},
    ProblemModel{"aten::_scaled_dot_product_cudnn_attention", forward, {6, 0}, true},
    ProblemModel{"aten::_flash_attention_forward", forward, {8, 1}, true},
    ProblemModel{"aten::_efficient_attention_forward", forward, {9, 1}, true},
    ProblemModel{"flash_attn::_flash_attn_forward", forward, {5, 1}, true},
    ProblemModel{"aten::_scaled_dot_product_flash_attention_backward", backward, {11, 0}, true},
    ProblemModel{"aten::_scaled_dot_product_efficient_attention_backward", backward, {11, 0}, true},
    ProblemModel{"aten::_scaled_dot_product_cudnn_attention_backward", backward, {14, 0}, true},
    ProblemModel{"aten::_flash_attention_backward", backward, {11, 1}, true},
    ProblemModel{"flash_attn::_flash_attn_backward", backward, {11, 1}, true},
};

}  // namespace
}  // namespace attentions

std::span<const ProblemModel> attention_models() { return attentions::kModels; }

}  // namespace warpscope::analysis
