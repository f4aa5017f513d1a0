// Writes the "args" of events.
#include <fmt/format.h>

#include <array>

#include "tests/tracegen/kineto_writer.hpp"

namespace warpscope::tracegen {
namespace {

constexpr int kMultiprocessors = 132;

}  // namespace

void KinetoWriter::op_args(const HostEvent& event) {
  if (event.kind == HostKind::frame) {
    json_.key("Python parent id");
    if (event.parent < 0) {
      json_.raw("null");
    } else {
      json_.integer(event.parent);
    }
    json_.field("Python id", event.id);
    if (event.name.starts_with("nn.Module: ")) json_.field("Python module id", event.shape);
    json_.field("Ev Idx", event_index_++);
    return;
  }
  if (generation_ == Generation::torch_1_8) {
    json_.field("Device", place_.pid);
    json_.field("External id", event.id);
    json_.line();
    json_.text_field("Trace name", "PyTorch Profiler");
    json_.field("Trace iteration", 0);
    return;
  }
  external_id(event.id);
  json_.tight();
  if (generation_ == Generation::current) json_.field("Record function id", 0);
  if (event.sequence >= 0) {
    json_.field("Sequence number", event.sequence);
    json_.field("Fwd thread id", event.thread == Thread::autograd ? 1 : 0);
  }
  if (options_.shapes && event.shape >= 0) shape_args(program_.shapes[static_cast<std::size_t>(event.shape)]);
  if (event.collective != nullptr && generation_ == Generation::current) {
    collective_args(*event.collective, event.collective_sequence);
    json_.field("Rank", place_.rank);
  }
  json_.field("Ev Idx", event_index_++);
}

void KinetoWriter::shape_args(const ArgumentShapes& shapes) {
  if (generation_ == Generation::current) {
    json_.key("Concrete Inputs");
    json_.open_array();
    for (const std::string_view value : shapes.values) {
      json_.item();
      json_.text(value);
    }
    json_.close_array();
  }
  json_.key("Input type");
  json_.open_array();
  for (const std::string_view type : shapes.types) {
    json_.item();
    json_.text(type);
  }
  json_.close_array();
  if (generation_ == Generation::current) {
    json_.key("Input Strides");
    json_.open_array();
    for (const std::vector<int>& dims : shapes.dims) {
      json_.item();
      json_.open_array();
      for (std::size_t i = 0; i < dims.size(); ++i) {
        std::int64_t stride = 1;
        for (std::size_t k = i + 1; k < dims.size(); ++k) stride *= dims[k];
        json_.item();
        json_.integer(stride);
      }
      json_.close_array();
    }
    json_.close_array();
  }
  json_.key("Input Dims");
  json_.open_array();
  for (const std::vector<int>& dims : shapes.dims) {
    json_.item();
    json_.open_array();
    for (const int extent : dims) {
      json_.item();
      json_.integer(extent);
    }
    json_.close_array();
  }
  json_.close_array();
}

void KinetoWriter::kernel_args(const Run& run) {
  const bool old = generation_ == Generation::torch_1_8;
  static const KernelType kNccl{"", 0, 96, 82'240, {1, 1, 1}, {512, 1, 1}, 25};
  const KernelType& kernel = run.kernel != nullptr ? *run.kernel : kNccl;
  const int channels = run.collective != nullptr ? run.collective->channels : 1;
  const int blocks = kernel.grid[0] * kernel.grid[1] * kernel.grid[2] * channels;
  const int warps = (kernel.block[0] * kernel.block[1] * kernel.block[2] + 31) / 32;

  if (!old) external_id(run.external_id);
  json_.field("queued", 0);
  json_.field("device", place_.device);
  json_.field("context", 1);
  json_.field("stream", run.stream);
  json_.field("correlation", run.correlation);
  if (old) external_id(run.external_id);
  json_.field("registers per thread", kernel.registers);
  json_.field("shared memory", kernel.shared_memory);
  const bool not_finite = place_.defects.has(Defect::inf_nan);
  std::array<char, 32> text{};
  const auto ratio = [&](std::string_view name, double value, std::string_view broken) {
    json_.key(name);
    const auto end = fmt::format_to(text.data(), "{:.6f}", value);
    json_.raw(not_finite ? broken : std::string_view(text.data(), static_cast<std::size_t>(end - text.data())));
  };
  ratio("blocks per SM", static_cast<double>(blocks) / kMultiprocessors, "inf");
  ratio("warps per SM", static_cast<double>(blocks) * warps / kMultiprocessors, "nan");
  for (const bool grid : {true, false}) {
    json_.key(grid ? "grid" : "block");
    json_.open_array();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      json_.item();
      json_.integer(grid ? kernel.grid[axis] * (axis == 0 ? channels : 1) : kernel.block[axis]);
    }
    json_.close_array();
  }
  json_.field("est. achieved occupancy %", kernel.occupancy);
  if (run.graph_node >= 0) {
    json_.field("graph id", 1);
    json_.field("graph node id", run.graph_node);
  }
  if (run.collective != nullptr && generation_ == Generation::current) {
    collective_args(*run.collective, run.collective_sequence);
  }
}

void KinetoWriter::collective_args(const Collective& collective, std::int64_t sequence) {
  const GroupInfo group = group_of(options_, collective.group, place_.rank);
  const auto size = static_cast<std::int64_t>(group.ranks.size());
  json_.text_field("Collective name", collective.name);
  json_.field("In msg nelems", collective.in_elements);
  json_.field("Out msg nelems", collective.out_elements);
  json_.field("Group size", size);
  json_.text_field("dtype", collective.dtype);
  json_.text_field("In split size", "[]");
  json_.text_field("Out split size", "[]");
  json_.text_field("Process Group Name", group.name);
  json_.text_field("Process Group Description", group.description);
  json_.key("Process Group Ranks");
  json_.raw("\"[");
  // Like PyTorch: only the first ranks if there are many.
  constexpr std::int64_t kShown = 30;
  for (std::int64_t i = 0; i < size && i < kShown; ++i) {
    if (i != 0) json_.raw(", ");
    json_.integer(group.ranks[static_cast<std::size_t>(i)]);
  }
  json_.raw(size > kShown ? ", ...]\"" : "]\"");
  if (collective.group == Group::forward || collective.group == Group::backward) {
    const bool sends = collective.name == "send";
    const int peer = neighbor_of(options_, place_.rank, (collective.group == Group::forward) == sends ? 1 : -1);
    json_.field("Src Rank", sends ? place_.rank : peer);
    json_.field("Dst Rank", sends ? peer : place_.rank);
  }
  if (options_.sequence_numbers) json_.field("Seq", sequence);
}

void KinetoWriter::copy_args(const Run& run, std::int64_t duration) {
  const bool old = generation_ == Generation::torch_1_8;
  if (!old) external_id(run.external_id);
  json_.field("device", place_.device);
  json_.field("context", 1);
  json_.field("stream", run.stream);
  json_.field("correlation", run.correlation);
  if (old) external_id(run.external_id);
  json_.field("bytes", run.bytes);
  if (duration <= 0) return;
  json_.key("memory bandwidth (GB/s)");
  json_.raw(fmt::format("{}", static_cast<double>(run.bytes) / static_cast<double>(duration)));
}

}  // namespace warpscope::tracegen
