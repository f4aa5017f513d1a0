// Runtime calls of the machine, and the streams they feed.
#include <algorithm>

#include "tests/tracegen/machine.hpp"

namespace warpscope::tracegen {
namespace {

constexpr std::int64_t kLaunchLatency = 3'400;
constexpr std::int64_t kKernelGap = 950;
constexpr int kDependentEvery = 8;

// Duration of a memcpy or memset: a latency plus bytes over bandwidth (bytes per ns).
std::int64_t copy_time(Copy copy, std::int64_t bytes) {
  const bool over_bus = copy == Copy::host_to_device || copy == Copy::device_to_host;
  return 1'300 + bytes / (over_bus ? 22 : 1'300);
}

}  // namespace

std::int64_t Machine::innermost_id() const {
  const auto thread = static_cast<std::size_t>(thread_);
  for (auto open = open_[thread].rbegin(); open != open_[thread].rend(); ++open) {
    const HostEvent& event = host_[thread][open->event];
    if (event.kind != HostKind::frame) return event.id;
  }
  return 0;
}

std::int64_t Machine::device_time(std::int64_t mean, int percent) {
  return random_.around(mean, percent) * percent_ / 100;
}

Call Machine::begin_call(RuntimeApi api) {
  Call call;
  call.begin = now_;
  call.api = api;
  call.thread = thread_;
  call.external_id = innermost_id();
  call.correlation = correlation_++;
  return call;
}

// A launch returns when there is room in the queue.
void Machine::end_call(Call& call) {
  const RuntimeApiInfo& api = info(call.api);
  now_ += host_time(random_.around(api.ns, 35));
  if (api.launches) now_ = std::max(now_, queue_[static_cast<std::size_t>(launched_) % kQueue]);
  call.end = now_;
  now_ += random_.around(320, 40);
}

void Machine::plain_call(RuntimeApi api) {
  Call call = begin_call(api);
  end_call(call);
  recorder_.group(call, {});
}

std::int64_t Machine::earliest(std::size_t stream, const Call& call) {
  const std::int64_t gap = random_.around(kKernelGap, 30);
  return std::max(
      {call.begin + random_.around(kLaunchLatency, 25), stream_free_[stream] + gap, stream_ready_[stream] + gap});
}

void Machine::occupy(std::size_t stream, const Run& run) {
  stream_free_[stream] = run.end;
  last_length_[stream] = run.end - run.begin;
  queue_[static_cast<std::size_t>(launched_++) % kQueue] = run.begin;
  const auto thread = static_cast<std::size_t>(thread_);
  for (Open& open : open_[thread]) {
    Extent& shade = open.shade[stream];
    shade.begin = shade.begin < 0 ? run.begin : std::min(shade.begin, run.begin);
    shade.end = std::max(shade.end, run.end);
  }
}

void Machine::launch(const Instruction& instruction) {
  Run run;
  run.kernel = &program_.kernels[static_cast<std::size_t>(instruction.index)];
  run.stream = instruction.stream;
  const std::size_t stream = stream_index(run.stream);
  std::int64_t length = device_time(run.kernel->ns, 12);
  if (!options_.faults.empty())
    length = length * fault_percent(options_.faults, FaultKind::slow_kernels, place_.rank, step_) / 100 *
             fault_percent(options_.faults, FaultKind::slow_kernel, place_.rank, step_, run.kernel->name) / 100;
  run.external_id = innermost_id();
  if (in_graph_) {
    run.end = length;
    graph_.push_back(run);
    return;
  }
  Call call = begin_call(instruction.api);
  end_call(call);
  run.correlation = call.correlation;
  run.begin = earliest(stream, call);
  const std::int64_t early = std::min(last_length_[stream], length) / 3;
  if (dependent_launches_ && launched_ % kDependentEvery == 0 && call.begin + kLaunchLatency < run.begin - early) {
    run.begin = std::max(stream_ready_[stream], stream_free_[stream] - early);
  }
  run.end = run.begin + length;
  occupy(stream, run);
  recorder_.group(call, {&run, 1});
}

void Machine::launch_graph() {
  if (!in_graph_) return;
  in_graph_ = false;
  if (graph_.empty()) return;
  Call call = begin_call(RuntimeApi::graph_launch);
  end_call(call);
  int node = 0;
  for (Run& run : graph_) {
    const std::size_t stream = stream_index(run.stream);
    const std::int64_t length = run.end;
    run.begin = earliest(stream, call);
    run.end = run.begin + length;
    run.correlation = call.correlation;
    run.external_id = call.external_id;
    run.graph_node = node++;
    occupy(stream, run);
  }
  recorder_.group(call, graph_);
  graph_.clear();
}

void Machine::copy(const Instruction& instruction) {
  Call call = begin_call(instruction.api);
  end_call(call);
  const std::size_t stream = stream_index(instruction.stream);
  Run run;
  run.copy = instruction.copy;
  run.bytes = instruction.value;
  run.stream = instruction.stream;
  run.external_id = call.external_id;
  run.correlation = call.correlation;
  run.begin = earliest(stream, call);
  std::int64_t length = random_.around(copy_time(run.copy, run.bytes), 10);
  if (!options_.faults.empty())
    length = length * fault_percent(options_.faults, FaultKind::slow_copies, place_.rank, step_) / 100;
  run.end = run.begin + length;
  occupy(stream, run);
  recorder_.group(call, {&run, 1});
}

void Machine::synchronize(const Instruction& instruction) {
  Call call = begin_call(RuntimeApi::stream_synchronize);
  now_ = std::max(now_, stream_free_[stream_index(instruction.stream)]);
  end_call(call);
  recorder_.group(call, {});
}

void Machine::complete_collective(std::int64_t end) {
  const Collective& collective = program_.collectives[static_cast<std::size_t>(waiting_->index)];
  Run run;
  run.collective = &collective;
  run.stream = waiting_->stream;
  run.begin = arrival_;
  run.end = end;
  run.external_id = waiting_call_.external_id;
  run.correlation = waiting_call_.correlation;
  run.collective_sequence = collective_sequence_[counter_of(collective)]++;
  occupy(stream_index(run.stream), run);
  recorder_.group(waiting_call_, {&run, 1});
  waiting_ = nullptr;
}

}  // namespace warpscope::tracegen
