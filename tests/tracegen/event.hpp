#pragma once
// Events of a job, in exact ns since the Unix epoch. The machine creates events, the recorder counts and damages them,
// and the Kineto writer prints them.
#include <cstdint>
#include <string_view>

#include "tests/tracegen/program.hpp"

namespace warpscope::tracegen {

inline constexpr std::int64_t kSecond = 1'000'000'000;  ///< in ns

/// Host threads of a rank, in the order in which their operators appear in a file.
enum class Thread : std::uint8_t { autograd, main, pin_memory, watchdog };
inline constexpr std::size_t kThreads = 4;

enum class HostKind : std::uint8_t { op, annotation, frame, memory };

/// Specifies at which end of a forward → backward flow an operator is.
enum class Flow : std::uint8_t { none, start, finish };

/// An operator, an annotation, a Python frame, or a change of allocated memory (an instant event).
struct HostEvent {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::string_view name;
  std::int64_t number = -1;  ///< appended to the name unless negative: ProfilerStep#12
  HostKind kind = HostKind::op;
  Thread thread = Thread::main;
  Flow flow = Flow::none;
  std::int32_t shape = -1;     ///< index into Program::shapes
  std::int64_t sequence = -1;  ///< autograd sequence number
  std::int64_t flow_id = 0;
  std::int64_t id = 0;                     ///< External id, or Python id
  std::int64_t parent = -1;                ///< Python parent id
  const Collective* collective = nullptr;  ///< the collective that the operator records
  std::int64_t collective_sequence = -1;
  std::int64_t bytes = 0;      ///< memory: change in bytes
  std::int64_t allocated = 0;  ///< memory: bytes after the change
};

/// A runtime or driver call.
struct Call {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  RuntimeApi api{};
  Thread thread = Thread::main;
  std::int64_t external_id = 0;
  std::int64_t correlation = 0;
};

/// A kernel, memcpy or memset on the device. Kernels have exactly one of `kernel` and `collective`.
struct Run {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  const KernelType* kernel = nullptr;
  const Collective* collective = nullptr;
  Copy copy = Copy::none;
  std::int64_t bytes = 0;
  int stream = 0;
  std::int64_t external_id = 0;
  std::int64_t correlation = 0;
  std::int64_t collective_sequence = -1;
  int graph_node = -1;  ///< node within a CUDA graph
};

/// GPU range of an annotation on a stream: from its first to its last activity there.
struct Shadow {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::string_view name;
  std::int64_t number = -1;
  int stream = 0;
  std::int64_t external_id = 0;
};

/// A counter's value at a time.
struct Sample {
  std::int64_t time = 0;
  std::string_view name;
  std::int64_t value = 0;
};

}  // namespace warpscope::tracegen
