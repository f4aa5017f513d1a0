#include "tests/tracegen/training_step.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace warpscope::tracegen {
namespace {

constexpr int kParametersOfLayer = 6;
constexpr std::int64_t kBatchBytes = 1'048'576;

}  // namespace

void Step::copy_to(std::string_view name, Copy kind, std::int64_t bytes, int stream) {
  const auto to = b_.op(name, 1100);
  const auto inner_copy = b_.op("aten::_to_copy", 1300);
  b_.leaf("aten::empty_strided", 1500);
  const auto copy = b_.op("aten::copy_", 2200);
  b_.copy(kind, bytes, stream);
}

void Step::load() {
  {
    const auto loader = b_.annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    const auto frame = b_.frame("torch/utils/data/dataloader.py(701): __next__");
    b_.work(1'100'000);
    b_.stall();
    b_.work(60'000);
  }
  copy_to("aten::to", Copy::host_to_device, kBatchBytes, kCopyStream);
  copy_to("aten::to", Copy::host_to_device, kBatchBytes, kCopyStream);
  b_.wait(kComputeStream, b_.record(kCopyStream));
}

void Step::communicate(std::string_view name, const Collective& collective, int stream) {
  const auto op = b_.op(name, 2600);
  const auto record = b_.collective_record();
  const auto annotation = b_.annotation(collective.annotation);
  b_.wait(stream, b_.record(kComputeStream));
  b_.run_collective(collective, stream);
  b_.call(RuntimeApi::event_query);
}

void Step::gather(int first_layer) {
  const int layers = std::min(bucket_, options_.layers - first_layer);
  const bool within_node = options_.gpus > 1 && !options_.sharded;
  const std::int64_t elements = Transformer::kLayerParameters * layers;
  const int peers = within_node ? options_.gpus : options_.world();
  communicate(
      "c10d::_allgather_base_",
      {"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "_allgather_base", "nccl:_all_gather_base",
       within_node ? Group::node : Group::world, elements / peers, elements, "BFloat16", 80'000LL * layers, 16});
  gathered_.push_back(b_.record(kNcclStream));
}

void Step::reduce(int layers) {
  const std::int64_t elements = Transformer::kLayerParameters * layers;
  if (options_.sharded)
    communicate("c10d::_reduce_scatter_base_",
                {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                 "_reduce_scatter_base", "nccl:_reduce_scatter_base", Group::world, elements,
                 elements / options_.world(), "BFloat16", 115'000LL * layers, 16});
  else
    communicate("c10d::allreduce_",
                {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "allreduce",
                 "nccl:all_reduce", Group::world, elements, elements, "BFloat16", 230'000LL * layers, 24});
  reduced_.push_back(b_.record(kNcclStream));
}

// Tokens go to the ranks of their experts, or back.
void Step::exchange_tokens() {
  if (options_.experts < 2) return;
  communicate("c10d::alltoall_base_",
              {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "all_to_allv", "nccl:all_to_all",
               Group::expert, Transformer::kActivation / 2, Transformer::kActivation / 2, "BFloat16", 70'000, 16});
  b_.wait(kComputeStream, b_.record(kNcclStream));
}

void Step::forward() {
  const auto annotation = b_.annotation("Forward");
  const auto module = b_.frame("nn.Module: DistributedDataParallel_0");
  if (distributed()) gather(0);
  model_.embed();
  for (int layer = 0; layer < options_.layers; ++layer) {
    if (distributed() && layer % bucket_ == 0) {
      if (layer + bucket_ < options_.layers) gather(layer + bucket_);
      b_.wait(kComputeStream, gathered_[static_cast<std::size_t>(layer / bucket_)]);
      const auto split = b_.op("aten::split_with_sizes_copy", 2900);
      b_.copy(Copy::device_to_device, 4'194'304, kComputeStream);
    }
    model_.layer(layer, [this] { exchange_tokens(); });
    if (layer == 0) b_.pause();
  }
}

void Step::backward() {
  const auto annotation = b_.annotation("Backward");
  const auto frame = b_.frame("torch/_tensor.py(581): backward");
  b_.work(22'000);
  b_.on_autograd_thread(true);
  model_.loss_backward();
  int waiting = 0;
  const bool gathers = distributed() && options_.sharded;
  if (gathers) gather((options_.layers - 1) / bucket_ * bucket_);
  for (int layer = options_.layers - 1; layer >= 0; --layer) {
    if (gathers && (layer + 1 == options_.layers || (layer + 1) % bucket_ == 0)) {
      const std::int32_t own = gathered_.back();
      if (const int first = layer / bucket_ * bucket_; first > 0) gather(first - bucket_);
      b_.wait(kComputeStream, own);
    }
    exchange_tokens();
    model_.layer_backward(layer);
    exchange_tokens();
    ++waiting;
    if (distributed() && layer % bucket_ == 0) {
      reduce(waiting);
      waiting = 0;
    }
  }
  model_.embed_backward();
  b_.on_autograd_thread(false);
  b_.work(9'000);
}

void Step::clip_gradients() {
  const auto frame = b_.frame("torch/nn/utils/clip_grad.py(180): clip_grad_norm_");
  for (int layer = 0; layer < options_.layers; ++layer) {
    const auto norm = b_.op("aten::_foreach_norm", 6400);
    b_.leaf("aten::empty", 900);
    b_.launch(Kernel::norm);
  }
  item();
  for (int layer = 0; layer < options_.layers; ++layer) {
    const auto scale = b_.op("aten::_foreach_mul_", 4100);
    b_.launch(Kernel::scale);
  }
}

// Many small kernels in a row on an idle device: the step is bound by the host.
void Step::optimize() {
  const auto annotation = b_.annotation("Optimizer");
  for (const std::int32_t slot : reduced_) b_.wait(kComputeStream, slot);
  clip_gradients();
  {
    const auto step = b_.annotation("Optimizer.step#AdamW.step");
    const auto frame = b_.frame("torch/optim/adamw.py(220): step");
    constexpr std::array<std::string_view, 3> kUpdates{"aten::mul_", "aten::addcmul_", "aten::addcdiv_"};
    b_.graph(true);
    for (int layer = 0; layer < options_.layers; ++layer) {
      const auto sub = b_.frame("torch/optim/adamw.py(394): _single_tensor_adamw");
      for (int parameter = 0; parameter < kParametersOfLayer; ++parameter) {
        for (const std::string_view update : kUpdates) {
          const auto op = b_.op(update, 15'500);
          b_.launch(Kernel::pointwise);
        }
      }
      b_.memory(-2 * Transformer::kLayerParameters);
    }
    b_.graph(false);
    const auto fused = b_.op("aten::_fused_adamw_", 9700);
    b_.launch(Kernel::adam);
  }
  const auto zero = b_.annotation("Optimizer.zero_grad#AdamW.zero_grad");
  const auto op = b_.op("aten::zero_", 1500);
  b_.copy(Copy::set, 4096, kComputeStream);
}

// The host reads a number from the device and therefore waits for all launched work.
void Step::item() {
  const auto item = b_.op("aten::item", 900);
  const auto local = b_.op("aten::_local_scalar_dense", 1700);
  b_.copy(Copy::device_to_host, 4, kComputeStream);
  b_.synchronize(kComputeStream);
}

void Step::report() {
  b_.in_even_steps(true);
  {
    const auto frame = b_.frame("train.py(188): log_metrics");
    item();
  }
  copy_to("aten::to", Copy::device_to_host, 262'144, kCopyStream);
  b_.in_even_steps(false);
}

void Step::run() {
  const auto frame = b_.frame("train.py(231): main");
  const auto step = b_.numbered_annotation("step_");
  const auto body = b_.frame("train.py(142): train_step");
  load();
  forward();
  {
    const auto loss = b_.annotation("Loss");
    model_.loss();
  }
  backward();
  optimize();
  report();
}

Program training_step(const Options& options) { return Step(options).program(); }

}  // namespace warpscope::tracegen
