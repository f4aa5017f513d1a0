#include <array>
#include <ranges>
#include <string>

#include "tests/tracegen/transformer.hpp"

namespace warpscope::tracegen {
namespace {

// Indexed by Transformer::Node.
constexpr std::array<std::string_view, 10> kNodeNames{
    "EmbeddingBackward0",     "NativeLayerNormBackward0",
    "AddmmBackward0",         "ScaledDotProductFlashAttentionBackward0",
    "ViewBackward0",          "GeluBackward0",
    "NativeDropoutBackward0", "AddBackward0",
    "LogSoftmaxBackward0",    "NllLossBackward0"};

}  // namespace

void Transformer::run_backward(int part) {
  for (const Recorded& recorded : std::views::reverse(recorded_)) {
    if (recorded.part == part) backward_of(recorded);
  }
}

void Transformer::transposed() {
  const auto t = b_.op("aten::t", 700, linear_shape_);
  const auto transpose = b_.op("aten::transpose", 700, linear_shape_);
  b_.leaf("aten::as_strided", 300, linear_shape_);
}

void Transformer::linear_backward() {
  for (const Kernel gemm : {Kernel::gemm_backward_input, Kernel::gemm_backward_weight}) {
    transposed();
    const auto mm = b_.op("aten::mm", 4600, linear_shape_);
    b_.leaf("aten::empty", 900);
    b_.memory(gemm == Kernel::gemm_backward_weight ? kLayerParameters / 2 : -kActivation);
    b_.launch(gemm);
  }
}

void Transformer::accumulate() {
  const auto evaluate = b_.op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", 900);
  const auto node = b_.op("torch::autograd::AccumulateGrad", 700);
  const auto detach = b_.op("aten::detach", 600, linear_shape_);
  b_.leaf("detach", 300, linear_shape_);
}

void Transformer::backward_of(const Recorded& recorded) {
  const std::string name(kNodeNames[static_cast<std::size_t>(recorded.node)]);
  {
    const auto evaluate = b_.op("autograd::engine::evaluate_function: " + name, 1100, ProgramBuilder::kNoShape);
    const auto op = b_.op(name, 900, hidden_shape_, recorded.sequence);
    switch (recorded.node) {
      case Node::embedding: {
        const auto backward = b_.op("aten::embedding_backward", 1500, tokens_shape_);
        const auto dense = b_.op("aten::embedding_dense_backward", 2400, tokens_shape_);
        b_.copy(Copy::set, 206'045'184, kComputeStream);
        b_.memory(-kActivation);
        b_.launch(Kernel::embedding_backward);
        break;
      }
      case Node::layer_norm: {
        const auto backward = b_.op("aten::native_layer_norm_backward", 3600, hidden_shape_);
        b_.leaf("aten::empty_like", 900, hidden_shape_);
        b_.leaf("aten::empty_like", 800, hidden_shape_);
        b_.launch(Kernel::layer_norm_backward);
        b_.launch(Kernel::layer_norm_backward_weights);
        break;
      }
      case Node::linear:
        linear_backward();
        break;
      case Node::attention: {
        const auto backward = b_.op("aten::_scaled_dot_product_flash_attention_backward", 2900, heads_shape_);
        const auto flash = b_.op("aten::_flash_attention_backward", 4100, heads_shape_);
        b_.leaf("aten::empty_like", 900, heads_shape_);
        b_.copy(Copy::set, 33'554'432, kComputeStream);
        b_.memory(-kActivation);
        b_.launch(Kernel::attention_backward);
        break;
      }
      case Node::view: {
        const auto reshape = b_.op("aten::reshape", 800, hidden_shape_);
        b_.leaf("aten::view", 400, hidden_shape_);
        break;
      }
      case Node::gelu: {
        const auto backward = b_.op("aten::gelu_backward", 2900, pair_shape_);
        b_.launch(Kernel::gelu_backward);
        break;
      }
      case Node::dropout: {
        const auto backward = b_.op("aten::native_dropout_backward", 2700, pair_shape_);
        b_.launch(Kernel::dropout_backward);
        break;
      }
      case Node::add:
        break;
      case Node::log_softmax: {
        const auto backward = b_.op("aten::_log_softmax_backward_data", 3000, hidden_shape_);
        b_.launch(Kernel::softmax_backward);
        break;
      }
      case Node::nll: {
        const auto backward = b_.op("aten::nll_loss_backward", 2500, hidden_shape_);
        b_.copy(Copy::set, 412'090'368, kComputeStream);
        b_.launch(Kernel::fill);
        break;
      }
    }
  }
  if (recorded.node == Node::linear) {
    {
      const auto sum = b_.op("aten::sum", 3300, hidden_shape_);
      b_.launch(Kernel::reduce_bias);
    }
    accumulate();
    accumulate();
  }
  if (recorded.node == Node::layer_norm) accumulate();
}

}  // namespace warpscope::tracegen
