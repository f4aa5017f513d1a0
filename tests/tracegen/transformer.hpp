#pragma once
// Operators of one transformer layer, forward and backward. The forward pass produces a list of the nodes that autograd
// would record; the backward pass goes through this list in reverse.
#include <cstdint>
#include <functional>
#include <vector>

#include "tests/tracegen/program_builder.hpp"

namespace warpscope::tracegen {

class Transformer {
 public:
  explicit Transformer(ProgramBuilder& builder);

  void embed();
  /// Calls `around_mlp` before and after the MLP.
  void layer(int index, const std::function<void()>& around_mlp);
  /// Log-softmax and negative log-likelihood; its outermost operator is Program::odd_op.
  void loss();

  /// Run the backward nodes of the loss, of layer `index`, or of the embedding. Call each once, in reverse order.
  void loss_backward() { run_backward(kLoss); }
  void layer_backward(int index) { run_backward(index); }
  void embed_backward() { run_backward(kEmbedding); }

  static constexpr std::int64_t kLayerParameters = 50'331'648;
  static constexpr std::int64_t kActivation = 16'777'216;

 private:
  static constexpr int kLoss = -1;
  static constexpr int kEmbedding = -2;

  enum class Node : std::uint8_t {
    embedding,
    layer_norm,
    linear,
    attention,
    view,
    gelu,
    dropout,
    add,
    log_softmax,
    nll
  };
  struct Recorded {
    Node node;
    std::int32_t sequence;
    int part;
  };

  std::int32_t record(Node node, int part);
  void view(std::string_view name, int part);
  void layer_norm(int part, bool fused);
  void linear(int part, Kernel gemm, std::int32_t shape, bool split);
  void attention(int part);
  void gelu(int part);
  void dropout(int part);
  void add(int part);

  void run_backward(int part);
  void backward_of(const Recorded& recorded);
  void transposed();
  void linear_backward();
  void accumulate();

  ProgramBuilder& b_;
  std::vector<Recorded> recorded_;
  std::int32_t tokens_shape_;
  std::int32_t hidden_shape_;
  std::int32_t pair_shape_;
  std::int32_t linear_shape_;
  std::int32_t wide_shape_;
  std::int32_t heads_shape_;
};

}  // namespace warpscope::tracegen
