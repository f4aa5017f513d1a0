#include "tests/tracegen/transformer.hpp"

#include <fmt/format.h>

namespace warpscope::tracegen {
namespace {

constexpr std::string_view kHalf = "c10::BFloat16";

}  // namespace

Transformer::Transformer(ProgramBuilder& builder)
    : b_(builder),
      tokens_shape_(b_.shape({{{50304, 2048}, {2, 2048}}, {kHalf, "long int"}, {"", ""}})),
      hidden_shape_(b_.shape({{{2, 2048, 2048}}, {kHalf}, {""}})),
      pair_shape_(b_.shape({{{2, 2048, 2048}, {2, 2048, 2048}, {}}, {kHalf, kHalf, "Scalar"}, {"", "", "1"}})),
      linear_shape_(b_.shape({{{2048}, {4096, 2048}, {2048, 2048}, {}, {}},
                              {kHalf, kHalf, kHalf, "Scalar", "Scalar"},
                              {"", "", "", "1", "1"}})),
      wide_shape_(b_.shape({{{8192}, {4096, 2048}, {2048, 8192}, {}, {}},
                            {kHalf, kHalf, kHalf, "Scalar", "Scalar"},
                            {"", "", "", "1", "1"}})),
      heads_shape_(b_.shape({{{2, 16, 2048, 128}, {2, 16, 2048, 128}, {2, 16, 2048, 128}, {}, {}},
                             {kHalf, kHalf, kHalf, "Scalar", "Scalar"},
                             {"", "", "", "0.", "True"}})) {}

std::int32_t Transformer::record(Node node, int part) {
  const std::int32_t sequence = b_.next_sequence();
  recorded_.push_back({node, sequence, part});
  return sequence;
}

void Transformer::view(std::string_view name, int part) {
  const auto op = b_.op(name, 1300, hidden_shape_, record(Node::view, part));
  b_.leaf("aten::as_strided", 400, hidden_shape_);
}

void Transformer::embed() {
  const auto frame = b_.frame("nn.Module: Embedding_0");
  const auto op = b_.op("aten::embedding", 2100, tokens_shape_, record(Node::embedding, kEmbedding));
  b_.leaf("aten::reshape");
  const auto select = b_.op("aten::index_select", 2600, tokens_shape_);
  b_.leaf("aten::empty", 900);
  b_.memory(kActivation);
  b_.launch(Kernel::embedding);
}

void Transformer::layer_norm(int part, bool fused) {
  const auto frame = b_.frame("torch/nn/modules/normalization.py(217): forward");
  if (fused) {
    const auto op = b_.op("triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_7", 2800, hidden_shape_,
                          record(Node::layer_norm, part));
    b_.launch(Kernel::triton_fused);
    return;
  }
  const auto op = b_.op("aten::layer_norm", 1500, hidden_shape_);
  const auto native = b_.op("aten::native_layer_norm", 3100, hidden_shape_, record(Node::layer_norm, part));
  b_.leaf("aten::empty", 900);
  b_.leaf("aten::empty", 700);
  b_.leaf("aten::empty", 700);
  b_.launch(Kernel::layer_norm);
  b_.leaf("aten::view", 500);
}

void Transformer::linear(int part, Kernel gemm, std::int32_t shape, bool split) {
  const auto frame = b_.frame("torch/nn/modules/linear.py(125): forward");
  const auto builtin = b_.frame("<built-in function linear>");
  const auto op = b_.op("aten::linear", 1200, shape);
  transposed();
  const auto addmm = b_.op("aten::addmm", 5200, shape, record(Node::linear, part));
  b_.leaf("aten::empty", 1000);
  b_.memory(kActivation);
  b_.call(RuntimeApi::is_capturing);
  b_.launch(gemm);
  if (split) b_.launch(Kernel::split_k_reduce);
}

void Transformer::attention(int part) {
  const auto frame = b_.frame("<built-in function scaled_dot_product_attention>");
  const auto op = b_.op("aten::scaled_dot_product_attention", 1900, heads_shape_);
  const auto flash =
      b_.op("aten::_scaled_dot_product_flash_attention", 2300, heads_shape_, record(Node::attention, part));
  for (int i = 0; i < 3; ++i) {
    const auto transpose = b_.op("aten::transpose", 800, heads_shape_);
    b_.leaf("aten::as_strided", 300, heads_shape_);
  }
  const auto forward = b_.op("aten::_flash_attention_forward", 4700, heads_shape_);
  b_.leaf("aten::empty_like", 900, heads_shape_);
  b_.memory(kActivation);
  b_.leaf("aten::empty", 900);
  b_.launch(Kernel::attention);
}

void Transformer::gelu(int part) {
  const auto frame = b_.frame("<built-in function gelu>");
  const auto op = b_.op("aten::gelu", 3200, hidden_shape_, record(Node::gelu, part));
  b_.launch(Kernel::gelu);
}

void Transformer::dropout(int part) {
  const auto frame = b_.frame("<built-in function dropout>");
  const auto op = b_.op("aten::dropout", 900, hidden_shape_);
  const auto native = b_.op("aten::native_dropout", 3300, hidden_shape_, record(Node::dropout, part));
  b_.leaf("aten::empty_like", 900, hidden_shape_);
  b_.leaf("aten::empty_like", 800, hidden_shape_);
  b_.launch(Kernel::dropout);
}

void Transformer::add(int part) {
  const auto op = b_.op("aten::add", 2700, pair_shape_, record(Node::add, part));
  b_.launch(Kernel::add);
}

void Transformer::layer(int index, const std::function<void()>& around_mlp) {
  const auto module = b_.frame(fmt::format("nn.Module: TransformerBlock_{}", index));
  const auto call = b_.frame("torch/nn/modules/module.py(1750): _call_impl");
  {
    const auto block = b_.frame(fmt::format("nn.Module: SelfAttention_{}", index));
    layer_norm(index, false);
    linear(index, Kernel::gemm_qkv, linear_shape_, false);
    for (int i = 0; i < 3; ++i) {
      b_.leaf("aten::view", 600, hidden_shape_);
      view("aten::transpose", index);
    }
    attention(index);
    {
      const auto contiguous = b_.op("aten::contiguous", 700, heads_shape_);
      const auto clone = b_.op("aten::clone", 1500, heads_shape_, record(Node::view, index));
      b_.leaf("aten::empty_like", 900, heads_shape_);
      const auto copy = b_.op("aten::copy_", 2000, heads_shape_);
      b_.launch(Kernel::bias_copy);
    }
    linear(index, Kernel::gemm_projection, linear_shape_, true);
    dropout(index);
  }
  add(index);
  around_mlp();
  {
    const auto block = b_.frame(fmt::format("nn.Module: MLP_{}", index));
    layer_norm(index, index % 3 == 1);
    linear(index, Kernel::gemm_up, wide_shape_, false);
    gelu(index);
    linear(index, Kernel::gemm_down, wide_shape_, false);
    dropout(index);
  }
  around_mlp();
  add(index);
}

void Transformer::loss() {
  b_.set_odd_op("aten::cross_entropy_loss");
  const auto frame = b_.frame("torch/nn/functional.py(3494): cross_entropy");
  const auto op = b_.op("aten::cross_entropy_loss", 2300, hidden_shape_);
  {
    const auto softmax = b_.op("aten::log_softmax", 1200, hidden_shape_);
    const auto inner = b_.op("aten::_log_softmax", 3400, hidden_shape_, record(Node::log_softmax, kLoss));
    b_.leaf("aten::empty_like", 900, hidden_shape_);
    b_.launch(Kernel::softmax);
  }
  const auto nll = b_.op("aten::nll_loss_nd", 1400, hidden_shape_);
  const auto loss = b_.op("aten::nll_loss", 900, hidden_shape_);
  const auto forward = b_.op("aten::nll_loss_forward", 2900, hidden_shape_, record(Node::nll, kLoss));
  b_.launch(Kernel::nll_loss);
}

}  // namespace warpscope::tracegen
