#pragma once
// Instructions that every rank executes in a step. All ranks run the same program, as in real jobs. Only times differ
// between ranks and steps; the machine decides them.
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tracegen/groups.hpp"
#include "tests/tracegen/options.hpp"

namespace warpscope::tracegen {

enum class RuntimeApi : std::uint8_t {
  launch_kernel,
  launch_kernel_exc,
  driver_launch,
  graph_launch,
  memcpy_async,
  memset_async,
  stream_synchronize,
  device_synchronize,
  event_record,
  event_query,
  stream_wait_event,
  is_capturing,
};

/// A call's name, CUPTI callback id and usual host time.
struct RuntimeApiInfo {
  std::string_view name;
  int cbid = 0;
  std::int64_t ns = 0;
  bool driver = false;
  bool launches = false;
};
[[nodiscard]] const RuntimeApiInfo& info(RuntimeApi api);

/// A kernel with its usual time and the values that CUPTI reports for it.
struct KernelType {
  std::string_view name;
  std::int64_t ns = 0;
  int registers = 0;
  int shared_memory = 0;
  std::array<int, 3> grid{};
  std::array<int, 3> block{};
  int occupancy = 0;
  RuntimeApi api = RuntimeApi::launch_kernel;
};

struct Collective {
  std::string_view kernel;
  std::string_view name;        ///< as in NCCL's record: "allreduce"
  std::string_view annotation;  ///< "nccl:all_reduce"
  Group group = Group::world;
  std::int64_t in_elements = 0;
  std::int64_t out_elements = 0;
  std::string_view dtype;
  std::int64_t transfer_ns = 0;  ///< from the arrival of the last rank to the end
  int channels = 0;              ///< blocks of the kernel
};

enum class Copy : std::uint8_t { none, host_to_device, device_to_host, device_to_device, set };

/// Arguments of an operator, as written with --shapes.
struct ArgumentShapes {
  std::vector<std::vector<int>> dims;
  std::vector<std::string_view> types;
  std::vector<std::string_view> values;
};

inline constexpr int kComputeStream = 7;
inline constexpr int kNcclStream = 20;
inline constexpr int kCopyStream = 24;
inline constexpr int kDataStream = 28;      ///< gradients of parallel jobs
inline constexpr int kPipelineStream = 30;  ///< sends and receives
inline constexpr std::size_t kStreams = 5;

/// Index of a stream on its device.
[[nodiscard]] constexpr std::size_t stream_index(int stream) {
  return stream == kComputeStream ? 0
         : stream == kNcclStream  ? 1
         : stream == kCopyStream  ? 2
         : stream == kDataStream  ? 3
                                  : 4;
}

enum class Code : std::uint8_t {
  open_annotation,
  open_op,
  open_frame,
  close,         ///< closes the innermost open event of the thread
  work,          ///< advances host time by host_ns
  stall,         ///< waits for the data loader
  pause,         ///< garbage collection, on ranks with that fault
  launch,        ///< index: kernel
  copy,          ///< copy, stream, value: bytes
  call,          ///< api call without GPU activity
  record_event,  ///< index: event slot, stream
  wait_event,    ///< stream waits for slot `index`
  collective,    ///< index: collective
  synchronize,   ///< the host waits for the stream
  memory,        ///< value: change in bytes
  graph_begin,   ///< launches up to graph_end become one graph, if the rank uses graphs
  graph_end,
};

struct Instruction {
  Code code{};
  bool backward = false;    ///< runs on the autograd thread
  bool numbered = false;    ///< append the step's number to the name
  bool even_steps = false;  ///< only in steps 0, 2, 4 …
  RuntimeApi api{};
  Copy copy = Copy::none;
  int stream = kComputeStream;
  std::int32_t name = 0;  ///< index into Program::names
  std::int32_t index = 0;
  std::int32_t shape = -1;
  std::int32_t sequence = -1;   ///< within the step; for operators recorded by autograd
  std::int32_t record_of = -1;  ///< the collective that an operator records
  std::int64_t value = 0;
  std::int64_t host_ns = 0;
};

struct Program {
  std::vector<Instruction> instructions;
  std::deque<std::string> names;
  std::vector<KernelType> kernels;
  std::vector<Collective> collectives;
  std::vector<ArgumentShapes> shapes;
  int sequences = 0;         ///< autograd sequence numbers used per step
  int events = 0;            ///< event slots
  std::int32_t odd_op = -1;  ///< name of the operator (one per step) that damaged traces rename
};

/// One training step of a transformer: load, forward (sharded parameters are gathered per layer group), loss, backward
/// (gradients are reduced as they become available), optimizer.
[[nodiscard]] Program training_step(const Options& options);

/// One step of a pipeline stage: forward and backward of all micro-batches, with all-reduces within layers, sends and
/// receives between stages, and gradients reduced over the replicas in the last micro-batch.
[[nodiscard]] Program parallel_step(const Options& options, int stage);

}  // namespace warpscope::tracegen
