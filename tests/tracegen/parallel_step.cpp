#include <deque>

#include "tests/tracegen/training_step.hpp"

namespace warpscope::tracegen {
namespace {

constexpr std::int64_t kTensorTransfer = 60'000;
constexpr std::int64_t kPipelineTransfer = 120'000;
constexpr std::int64_t kDataTransfer = 230'000;
constexpr std::int64_t kNormTransfer = 30'000;

}  // namespace

/// Shards of a layer are summed; the next layer waits for the sum.
void Step::reduce_within_layer() {
  if (options_.tensor < 2) return;
  communicate("c10d::allreduce_", {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                                   "allreduce", "nccl:all_reduce", Group::tensor, Transformer::kActivation / 2,
                                   Transformer::kActivation / 2, "BFloat16", kTensorTransfer, 16});
  b_.wait(kComputeStream, b_.record(kNcclStream));
}

void Step::exchange(Group direction, bool send) {
  communicate(send ? "c10d::send" : "c10d::recv_",
              {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", send ? "send" : "recv",
               send ? "nccl:send" : "nccl:recv", direction, Transformer::kActivation / 2, Transformer::kActivation / 2,
               "BFloat16", kPipelineTransfer, 4},
              kPipelineStream);
  if (!send) b_.wait(kComputeStream, b_.record(kPipelineStream));
}

void Step::reduce_over_replicas() {
  if (options_.world() == options_.tensor * options_.pipeline) return;
  const std::int64_t elements = Transformer::kLayerParameters / options_.tensor;
  communicate("c10d::allreduce_",
              {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "allreduce",
               "nccl:all_reduce", Group::data, elements, elements, "BFloat16", kDataTransfer, 24},
              kDataStream);
  reduced_.push_back(b_.record(kDataStream));
}

void Step::forward_microbatch(Transformer& model, int stage) {
  const auto annotation = b_.annotation("Forward");
  if (stage > 0)
    exchange(Group::forward, false);
  else
    model.embed();
  for (int layer = 0; layer < options_.layers; ++layer) {
    model.layer(layer, [this] { exchange_tokens(); });
    reduce_within_layer();
  }
  if (stage + 1 < options_.pipeline)
    exchange(Group::forward, true);
  else
    model.loss();
}

void Step::backward_microbatch(Transformer& model, int stage, bool last) {
  const auto annotation = b_.annotation("Backward");
  b_.work(12'000);
  if (stage + 1 < options_.pipeline)
    exchange(Group::backward, false);
  else
    model.loss_backward();
  for (int layer = options_.layers - 1; layer >= 0; --layer) {
    model.layer_backward(layer);
    reduce_within_layer();
    if (last) reduce_over_replicas();
  }
  if (stage > 0)
    exchange(Group::backward, true);
  else
    model.embed_backward();
}

Program Step::program_of_stage(int stage) {
  b_.set_odd_op("aten::linear");  // stages without the loss lack its operator
  {
    const auto profiler = b_.numbered_annotation("ProfilerStep#");
    const auto step = b_.numbered_annotation("step_");
    load();
    std::deque<Transformer> models;  // one per micro-batch: each remembers what to run backward
    for (int batch = 0; batch < options_.microbatches; ++batch) {
      forward_microbatch(models.emplace_back(b_), stage);
      if (batch == 0) b_.pause();
    }
    for (int batch = 0; batch < options_.microbatches; ++batch)
      backward_microbatch(models[static_cast<std::size_t>(batch)], stage, batch + 1 == options_.microbatches);
    for (const std::int32_t slot : reduced_) b_.wait(kComputeStream, slot);
    reduced_.clear();
    communicate("c10d::allreduce_", {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                                     "allreduce", "nccl:all_reduce", Group::world, 1, 1, "Float", kNormTransfer, 1});
    b_.wait(kComputeStream, b_.record(kNcclStream));
    optimize();
  }
  return b_.take();
}

Program parallel_step(const Options& options, int stage) { return Step(options).program_of_stage(stage); }

}  // namespace warpscope::tracegen
