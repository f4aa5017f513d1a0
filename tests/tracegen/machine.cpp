#include "tests/tracegen/machine.hpp"

#include <algorithm>

namespace warpscope::tracegen {
namespace {

constexpr std::int64_t kFirstStep = 10;
constexpr std::int64_t kFirstCorrelation = 1201;

constexpr std::array<int, kStreams> kStreamNumbers{kComputeStream, kNcclStream, kCopyStream, kDataStream,
                                                   kPipelineStream};

}  // namespace

Machine::Machine(const Options& options, const Program& program, const Place& place, Recorder& recorder)
    : options_(options),
      program_(program),
      place_(place),
      recorder_(recorder),
      random_(options.seed * 0x2545F4914F6CDD1DULL + static_cast<std::uint64_t>(place.rank)),
      graphs_(place.defects.has(Defect::graph_launch)),
      dependent_launches_(place.defects.has(Defect::overlap)),
      now_(place.start_ns + 140'000),
      events_(static_cast<std::size_t>(program.events)),
      correlation_(kFirstCorrelation) {
  for (const Straggler& straggler : options.stragglers) {
    if (straggler.rank == place.rank) percent_ = straggler.percent;
  }
}

void Machine::begin_step(int step) {
  step_ = step;
  next_ = 0;
  step_begin_ = now_;
  host_percent_ = fault_percent(options_.faults, FaultKind::slow_host, place_.rank, step);
  if (place_.defects.has(Defect::duplicate_correlation)) correlation_ = kFirstCorrelation;
  recorder_.begin_step(step);
}

bool Machine::advance() {
  while (next_ < program_.instructions.size()) {
    const Instruction& instruction = program_.instructions[next_++];
    if (instruction.even_steps && step_ % 2 != 0) continue;
    thread_ = instruction.backward ? Thread::autograd : Thread::main;
    if (instruction.code == Code::collective) {
      waiting_ = &instruction;
      waiting_call_ = begin_call(instruction.api);
      end_call(waiting_call_);
      arrival_ = earliest(stream_index(waiting_->stream), waiting_call_);
      return true;
    }
    execute(instruction);
  }
  return false;
}

void Machine::execute(const Instruction& instruction) {
  const std::size_t stream = stream_index(instruction.stream);
  switch (instruction.code) {
    case Code::open_annotation:
    case Code::open_op:
    case Code::open_frame:
      open(instruction);
      break;
    case Code::close:
      close(static_cast<std::size_t>(thread_));
      break;
    case Code::work:
      now_ += host_time(random_.around(instruction.host_ns, 30));
      break;
    case Code::stall:
      for (const Stall& stall : options_.stalls) {
        if (stall.rank == place_.rank && stall.step == step_) now_ += stall.ns;
      }
      now_ += fault_ns(options_.faults, FaultKind::data_loader, place_.rank, step_);
      break;
    case Code::pause:
      pause();
      break;
    case Code::launch:
      launch(instruction);
      break;
    case Code::copy:
      copy(instruction);
      break;
    case Code::call:
      plain_call(instruction.api);
      break;
    case Code::record_event:
      plain_call(instruction.api);
      events_[static_cast<std::size_t>(instruction.index)] = std::max(now_, stream_free_[stream]);
      break;
    case Code::wait_event:
      plain_call(instruction.api);
      stream_ready_[stream] = std::max(stream_ready_[stream], events_[static_cast<std::size_t>(instruction.index)]);
      break;
    case Code::synchronize:
      synchronize(instruction);
      break;
    case Code::memory:
      memory(instruction);
      break;
    case Code::graph_begin:
      in_graph_ = graphs_;
      break;
    case Code::graph_end:
      launch_graph();
      break;
    case Code::collective:
      break;  // advance() returns there
  }
}

void Machine::open(const Instruction& instruction) {
  const auto thread = static_cast<std::size_t>(thread_);
  HostEvent event;
  event.begin = now_;
  event.name = program_.names[static_cast<std::size_t>(instruction.name)];
  event.thread = thread_;
  if (instruction.code == Code::open_frame) {
    event.kind = HostKind::frame;
    event.id = python_id_++;
    event.shape = instruction.name;
    for (const Open& outer : open_[thread]) {
      const HostEvent& candidate = host_[thread][outer.event];
      if (candidate.kind == HostKind::frame) event.parent = candidate.id;
    }
  } else {
    event.kind = instruction.code == Code::open_op ? HostKind::op : HostKind::annotation;
    event.id = external_id_++;
    event.shape = instruction.shape;
    if (instruction.record_of >= 0) {
      event.collective = &program_.collectives[static_cast<std::size_t>(instruction.record_of)];
      event.collective_sequence = collective_sequence_[counter_of(*event.collective)];
    }
    if (instruction.numbered) event.number = kFirstStep + step_;
    if (instruction.sequence >= 0) {
      const std::int64_t before = static_cast<std::int64_t>(step_) * program_.sequences;
      event.sequence = 4000 + before + instruction.sequence;
      event.flow_id = 1 + before + instruction.sequence;
      event.flow = instruction.backward ? Flow::finish : Flow::start;
    }
  }
  open_[thread].push_back({host_[thread].size(), {}});
  host_[thread].push_back(event);
  now_ += host_time(random_.around(instruction.host_ns + 260, 25));
}

void Machine::pause() {
  const std::int64_t ns = fault_ns(options_.faults, FaultKind::gc_pause, place_.rank, step_);
  if (ns == 0) return;
  HostEvent event;
  event.begin = now_;
  event.end = now_ += ns;
  event.name = "gc.collect";
  event.thread = thread_;
  event.id = external_id_++;
  host_[static_cast<std::size_t>(thread_)].push_back(event);
}

void Machine::close(std::size_t thread) {
  const Open closing = open_[thread].back();
  open_[thread].pop_back();
  now_ += random_.around(210, 40);
  HostEvent& event = host_[thread][closing.event];
  event.end = now_;
  now_ += random_.around(240, 40);
  if (event.kind != HostKind::annotation) return;
  for (std::size_t stream = 0; stream < kStreams; ++stream) {
    const Extent& shade = closing.shade[stream];
    if (shade.begin < 0) continue;
    shadows_.push_back({shade.begin - 1, shade.end + 1, event.name, event.number, kStreamNumbers[stream], event.id});
  }
}

void Machine::memory(const Instruction& instruction) {
  HostEvent event;
  event.begin = event.end = now_;
  event.kind = HostKind::memory;
  event.thread = thread_;
  allocated_ += instruction.value;
  event.bytes = instruction.value;
  event.allocated = allocated_;
  event.id = random_.below(1 << 22);
  host_[static_cast<std::size_t>(thread_)].push_back(event);
}

void Machine::end_step() {
  background_threads();
  for (std::vector<HostEvent>& events : host_) {
    recorder_.host_events(events);
    events.clear();
  }
  for (const Shadow& shadow : shadows_) recorder_.shadow(shadow);
  shadows_.clear();
  if (place_.defects.has(Defect::counters)) counter_samples();
  now_ += random_.around(14'000, 50);
}

// Simulates the thread that pins the next batch and the NCCL watchdog thread.
void Machine::background_threads() {
  Random random(random_.next());
  std::int64_t at = step_begin_ + random.around(60'000, 50);
  const std::int64_t duration = random.around(38'000, 30);
  constexpr std::array<std::string_view, 3> kOps{"aten::pin_memory", "aten::_pin_memory", "aten::copy_"};
  for (std::size_t depth = 0; depth < kOps.size(); ++depth) {
    HostEvent event;
    event.name = kOps[depth];
    event.thread = Thread::pin_memory;
    event.begin = at + static_cast<std::int64_t>(depth) * 700;
    event.end = at + duration - static_cast<std::int64_t>(depth) * 500;
    event.id = external_id_++;
    host_[static_cast<std::size_t>(Thread::pin_memory)].push_back(event);
  }
  if (options_.world() == 1) return;
  for (at = step_begin_ + random.below(1'000'000); at < now_; at += random.around(1'000'000, 3)) {
    recorder_.group({at, at + random.around(900, 40), RuntimeApi::event_query, Thread::watchdog, 0, correlation_++},
                    {});
  }
}

void Machine::counter_samples() {
  Random random(random_.next());
  constexpr std::int64_t kEvery = 500'000;
  for (std::int64_t at = step_begin_; at < now_; at += kEvery) {
    recorder_.sample({at, "SM Active %", 55 + random.below(45)});
    recorder_.sample({at, "Queue Length", random.below(kQueue)});
  }
}

std::int64_t Machine::finish() {
  thread_ = Thread::main;
  Call call = begin_call(RuntimeApi::device_synchronize);
  call.external_id = 0;
  for (const std::int64_t end : stream_free_) now_ = std::max(now_, end);
  end_call(call);
  recorder_.group(call, {});
  return now_ + 170'000;
}

}  // namespace warpscope::tracegen
