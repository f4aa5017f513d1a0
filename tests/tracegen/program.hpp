#pragma once
// What every rank does in a step, as a list of instructions. All ranks run the same program (that is how such jobs are
// made); what differs between them and from step to step is time, and that is the machine's.
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

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

/// Name, CUPTI's callback id and usual time on the host of a call.
struct RuntimeApiInfo {
  std::string_view name;
  int cbid = 0;
  std::int64_t ns = 0;
  bool driver = false;
  bool launches = false;
};
[[nodiscard]] const RuntimeApiInfo& info(RuntimeApi api);

/// A kernel with the figures that CUPTI reports of it and its usual time.
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

/// Which ranks take part: all, or those of one node.
enum class Group : std::uint8_t { world, node };

struct Collective {
  std::string_view kernel;
  std::string_view name;        ///< as NCCL's record says: "allreduce"
  std::string_view annotation;  ///< "nccl:all_reduce"
  Group group = Group::world;
  std::int64_t in_elements = 0;
  std::int64_t out_elements = 0;
  std::string_view dtype;
  std::int64_t transfer_ns = 0;  ///< from the arrival of the last rank to the end
  int channels = 0;              ///< blocks of the kernel
};

enum class Copy : std::uint8_t { none, host_to_device, device_to_host, device_to_device, set };

/// Arguments of an operator, as --shapes shows them.
struct ArgumentShapes {
  std::vector<std::vector<int>> dims;
  std::vector<std::string_view> types;
  std::vector<std::string_view> values;
};

inline constexpr int kComputeStream = 7;
inline constexpr int kNcclStream = 20;
inline constexpr int kCopyStream = 24;

/// Among the streams of a device.
[[nodiscard]] constexpr std::size_t stream_index(int stream) {
  return stream == kComputeStream ? 0 : stream == kNcclStream ? 1 : 2;
}

enum class Code : std::uint8_t {
  open_annotation,
  open_op,
  open_frame,
  close,         ///< the innermost of what is open on the thread
  work,          ///< host_ns pass
  stall,         ///< waits for the data loader
  launch,        ///< index: kernel
  copy,          ///< copy, stream, value: bytes
  call,          ///< api without a run
  record_event,  ///< index: event slot, stream
  wait_event,    ///< stream waits for slot `index`
  collective,    ///< index: collective
  synchronize,   ///< the host waits for the stream
  memory,        ///< value: change in bytes
  graph_begin,   ///< launches until graph_end are one graph, if the rank uses graphs
  graph_end,
};

struct Instruction {
  Code code{};
  bool backward = false;    ///< runs on the autograd thread
  bool numbered = false;    ///< the step's number ends the name
  bool even_steps = false;  ///< only in steps 0, 2, 4 …
  RuntimeApi api{};
  Copy copy = Copy::none;
  int stream = kComputeStream;
  std::int32_t name = 0;  ///< index into Program::names
  std::int32_t index = 0;
  std::int32_t shape = -1;
  std::int32_t sequence = -1;   ///< within the step; of operators that autograd records
  std::int32_t record_of = -1;  ///< the collective of which an operator is the record
  std::int64_t value = 0;
  std::int64_t host_ns = 0;
};

struct Program {
  std::vector<Instruction> instructions;
  std::deque<std::string> names;
  std::vector<KernelType> kernels;
  std::vector<Collective> collectives;
  std::vector<ArgumentShapes> shapes;
  int sequences = 0;         ///< autograd numbers that a step uses up
  int events = 0;            ///< event slots
  std::int32_t odd_op = -1;  ///< name of the operator, one a step, that takes the name of damaged traces
};

/// One step of training a transformer: load, forward (sharded parameters are gathered layer group by layer group),
/// loss, backward (gradients are reduced as they come), optimizer.
[[nodiscard]] Program training_step(const Options& options);

}  // namespace warpscope::tracegen
