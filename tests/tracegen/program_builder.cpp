#include "tests/tracegen/program_builder.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpscope::tracegen {

namespace {

constexpr std::array<std::string_view, 8> kWrappers{"torch/nn/modules/module.py(1739): _wrapped_call_impl",
                                                    "torch/_dynamo/eval_frame.py(838): _fn",
                                                    "torch/utils/_contextlib.py(116): decorate_context",
                                                    "torch/utils/checkpoint.py(488): checkpoint",
                                                    "torch/autograd/function.py(575): apply",
                                                    "torch/amp/autocast_mode.py(44): decorate_autocast",
                                                    "torch/_compile.py(32): inner",
                                                    "contextlib.py(81): inner"};

}  // namespace

Instruction& ProgramBuilder::add(Code code) {
  Instruction& instruction = program_.instructions.emplace_back();
  instruction.code = code;
  instruction.backward = backward_;
  instruction.even_steps = even_steps_;
  return instruction;
}

ProgramBuilder::Scope ProgramBuilder::open(Code code, std::string_view text) {
  const std::int32_t id = name(text);
  add(code).name = id;
  return Scope(this);
}

ProgramBuilder::Scope ProgramBuilder::numbered_annotation(std::string_view text) {
  const std::int32_t id = name(text);
  Instruction& instruction = add(Code::open_annotation);
  instruction.name = id;
  instruction.numbered = true;
  return Scope(this);
}

ProgramBuilder::Scope ProgramBuilder::op(std::string_view text, std::int64_t host_ns, std::int32_t shape_index,
                                         std::int32_t sequence) {
  const std::int32_t id = name(text);
  Instruction& instruction = add(Code::open_op);
  instruction.name = id;
  instruction.host_ns = host_ns;
  instruction.shape = shape_index;
  instruction.sequence = sequence;
  return Scope(this);
}

ProgramBuilder::Scope ProgramBuilder::collective_record() {
  const std::int32_t id = name("record_param_comms");
  Instruction& instruction = add(Code::open_op);
  instruction.name = id;
  instruction.host_ns = 1800;
  instruction.record_of = static_cast<std::int32_t>(program_.collectives.size());
  return Scope(this);
}

ProgramBuilder::Scope ProgramBuilder::frame(std::string_view text) {
  if (!frames_) return Scope(nullptr);
  const auto open_frame = [&](std::string_view frame_text) {
    const std::int32_t id = name(frame_text);
    Instruction& instruction = add(Code::open_frame);
    instruction.name = id;
    instruction.host_ns = 350;
  };
  const std::size_t wrappers = std::min(static_cast<std::size_t>(std::max(wrappers_, 0)), kWrappers.size());
  for (std::size_t i = 0; i < wrappers; ++i) open_frame(kWrappers[i]);
  open_frame(text);
  return Scope(this, static_cast<int>(wrappers) + 1);
}

void ProgramBuilder::launch(Kernel kernel) {
  Instruction& instruction = add(Code::launch);
  instruction.index = static_cast<std::int32_t>(kernel);
  instruction.api = program_.kernels[static_cast<std::size_t>(kernel)].api;
}

void ProgramBuilder::copy(Copy kind, std::int64_t bytes, int stream) {
  Instruction& instruction = add(Code::copy);
  instruction.copy = kind;
  instruction.value = bytes;
  instruction.stream = stream;
  instruction.api = kind == Copy::set ? RuntimeApi::memset_async : RuntimeApi::memcpy_async;
}

void ProgramBuilder::run_collective(const Collective& collective, int stream) {
  Instruction& instruction = add(Code::collective);
  instruction.index = static_cast<std::int32_t>(program_.collectives.size());
  instruction.stream = stream;
  instruction.api = RuntimeApi::launch_kernel_exc;
  program_.collectives.push_back(collective);
}

std::int32_t ProgramBuilder::record(int stream) {
  Instruction& instruction = add(Code::record_event);
  instruction.stream = stream;
  instruction.index = program_.events;
  instruction.api = RuntimeApi::event_record;
  return program_.events++;
}

void ProgramBuilder::wait(int stream, std::int32_t slot) {
  Instruction& instruction = add(Code::wait_event);
  instruction.stream = stream;
  instruction.index = slot;
  instruction.api = RuntimeApi::stream_wait_event;
}

std::int32_t ProgramBuilder::shape(ArgumentShapes shapes) {
  program_.shapes.push_back(std::move(shapes));
  return static_cast<std::int32_t>(program_.shapes.size()) - 1;
}

std::int32_t ProgramBuilder::name(std::string_view text) {
  const auto [entry, added] = names_.try_emplace(std::string(text), static_cast<std::int32_t>(program_.names.size()));
  if (added) program_.names.emplace_back(text);
  return entry->second;
}

}  // namespace warpscope::tracegen
