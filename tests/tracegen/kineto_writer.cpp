#include "tests/tracegen/kineto_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace warpscope::tracegen {
namespace {

constexpr std::array<std::string_view, 5> kCopyNames{"", "Memcpy HtoD (Pinned -> Device)",
                                                     "Memcpy DtoH (Device -> Pageable)",
                                                     "Memcpy DtoD (Device -> Device)", "Memset (Device)"};

}  // namespace

KinetoWriter::KinetoWriter(const Options& options, const Program& program, const Place& place,
                           std::unique_ptr<ByteSink> sink)
    : options_(options),
      program_(program),
      place_(place),
      json_(options.layout, std::move(sink)),
      generation_(options.generation),
      strings_(place.defects.has(Defect::string_numbers)),
      bare_array_(place.defects.has(Defect::top_level_array) || place.defects.has(Defect::no_closing_bracket)),
      origin_(generation_ == Generation::current && !bare_array_ ? base_time(place.start_ns) : 0) {}

void KinetoWriter::open_event(std::string_view phase, std::string_view category, std::string_view name,
                              std::int64_t number) {
  ++events_;
  json_.item();
  json_.open_object(Shape::block, 4);
  json_.text_field("ph", phase);
  json_.text_field("cat", category);
  if (generation_ == Generation::torch_1_8) json_.line();
  json_.key("name");
  json_.raw("\"");
  json_.raw(name);
  if (number >= 0) json_.integer(number);
  json_.raw("\"");
}

void KinetoWriter::close_event() { json_.close_object(); }

void KinetoWriter::id_field(std::string_view name, std::int64_t value) {
  json_.key(name);
  if (strings_) json_.raw("\"");
  json_.integer(value);
  if (strings_) json_.raw("\"");
}

void KinetoWriter::host_track(Thread thread) {
  id_field("pid", place_.pid);
  if (generation_ == Generation::torch_1_8) {
    json_.key("tid");
    json_.raw("\"");
    json_.integer(place_.tid(thread));
    json_.raw("\"");
  } else {
    id_field("tid", place_.tid(thread));
  }
}

void KinetoWriter::stream_track(int stream) {
  id_field("pid", place_.device);
  if (generation_ == Generation::torch_1_8) {
    json_.key("tid");
    json_.raw("\"stream ");
    json_.integer(stream);
    json_.raw("\"");
  } else {
    id_field("tid", stream);
  }
}

void KinetoWriter::time(std::string_view name, std::int64_t ns) {
  json_.key(name);
  if (strings_) json_.raw("\"");
  if (generation_ == Generation::current) {
    json_.microseconds(ns);
  } else {
    json_.integer(ns / 1000);
  }
  if (strings_) json_.raw("\"");
}

void KinetoWriter::times(std::int64_t begin, std::int64_t duration) {
  json_.line();
  time("ts", begin - origin_);
  time("dur", duration);
}

void KinetoWriter::open_args() {
  json_.line();
  json_.key("args");
  json_.open_object(Shape::block, 6);
}

void KinetoWriter::close_args() { json_.close_object(); }

void KinetoWriter::external_id(std::int64_t id) {
  json_.field(generation_ == Generation::torch_1_8 ? "external id" : "External id", id);
}

void KinetoWriter::host_event(const HostEvent& event) {
  if (event.kind == HostKind::memory) {
    open_event("i", "cpu_instant_event", "[memory]");
    json_.text_field("s", "t");
    host_track(event.thread);
    json_.line();
    time("ts", event.begin - origin_);
    open_args();
    json_.field("Total Reserved", 68'719'476'736);
    json_.field("Total Allocated", event.allocated);
    json_.field("Bytes", event.bytes);
    json_.field("Addr", 140'000'000'000'000 + event.id * 512);
    json_.field("Device Id", place_.device);
    json_.field("Device Type", 1);
    json_.field("Ev Idx", event_index_++);
    close_args();
    close_event();
    return;
  }
  std::string_view category = event.kind == HostKind::op ? "cpu_op" : "user_annotation";
  if (event.kind == HostKind::frame) category = "python_function";
  if (generation_ == Generation::torch_1_8) category = "Operator";
  open_event("X", category, event.name, event.number);
  host_track(event.thread);
  times(event.begin, event.end - event.begin);
  open_args();
  op_args(event);
  close_args();
  close_event();
  flow_of(event);
}

void KinetoWriter::edge(const HostEvent& event, bool begin) {
  open_event(begin ? "B" : "E", "user_annotation", event.name, event.number);
  host_track(event.thread);
  json_.line();
  time("ts", (begin ? event.begin : event.end) - origin_);
  if (begin) {
    open_args();
    op_args(event);
    close_args();
  }
  close_event();
}

void KinetoWriter::flow_of(const HostEvent& event) {
  if (event.flow == Flow::none || generation_ == Generation::torch_1_8) return;
  ++events_;
  json_.item();
  json_.open_object(Shape::block, 4);
  json_.text_field("ph", event.flow == Flow::start ? "s" : "f");
  json_.field("id", event.flow_id);
  host_track(event.thread);
  time("ts", event.begin - origin_);
  json_.line();
  json_.text_field("cat", "fwdbwd");
  json_.text_field("name", "fwdbwd");
  if (event.flow == Flow::finish) json_.text_field("bp", "e");
  close_event();
}

void KinetoWriter::call(const Call& call) {
  const RuntimeApiInfo& api = info(call.api);
  const bool old = generation_ == Generation::torch_1_8;
  const std::string_view category = old ? "Runtime" : api.driver ? "cuda_driver" : "cuda_runtime";
  open_event("X", category, api.name);
  host_track(call.thread);
  times(call.begin, call.end - call.begin);
  open_args();
  if (!old) {
    external_id(call.external_id);
    json_.tight();
  }
  json_.field("cbid", api.cbid);
  json_.field("correlation", call.correlation);
  if (old) {
    external_id(call.external_id);
    json_.field("external ts", call.begin / 1000);
  }
  close_args();
  close_event();
  if (!api.launches && old) return;
  ++events_;
  json_.item();
  json_.open_object(Shape::block, 4);
  json_.text_field("ph", api.launches ? "s" : "f");
  json_.field("id", call.correlation);
  id_field("pid", place_.pid);
  id_field("tid", place_.tid(call.thread));
  time("ts", call.begin - origin_);
  json_.line();
  json_.text_field("cat", old ? "async" : "ac2g");
  json_.text_field("name", old ? "launch" : "ac2g");
  if (!api.launches) json_.text_field("bp", "e");
  close_event();
}

void KinetoWriter::run(const Run& run, std::int64_t duration) {
  const bool old = generation_ == Generation::torch_1_8;
  if (run.copy == Copy::none) {
    const std::string_view name = run.kernel != nullptr ? run.kernel->name : run.collective->kernel;
    open_event("X", old ? "Kernel" : "kernel", name);
  } else {
    const bool set = run.copy == Copy::set;
    const std::string_view category = old ? (set ? "Memset" : "Memcpy") : (set ? "gpu_memset" : "gpu_memcpy");
    open_event("X", category, kCopyNames[static_cast<std::size_t>(run.copy)]);
  }
  stream_track(run.stream);
  times(run.begin, duration);
  open_args();
  if (run.copy == Copy::none) {
    kernel_args(run);
  } else {
    copy_args(run, duration);
  }
  close_args();
  close_event();
  flow_to_device(run);
}

void KinetoWriter::flow_to_device(const Run& run) {
  const bool old = generation_ == Generation::torch_1_8;
  ++events_;
  json_.item();
  json_.open_object(Shape::block, 4);
  json_.text_field("ph", "f");
  json_.field("id", run.correlation);
  stream_track(run.stream);
  time("ts", run.begin - origin_);
  json_.line();
  json_.text_field("cat", old ? "async" : "ac2g");
  json_.text_field("name", old ? "launch" : "ac2g");
  json_.text_field("bp", "e");
  close_event();
}

void KinetoWriter::async_events(const Call& call, const Run& run) {
  const std::array<std::pair<std::string_view, std::int64_t>, 3> phases{
      {{"b", call.begin}, {"n", run.begin}, {"e", run.end}}};
  for (const auto& [phase, at] : phases) {
    open_event(phase, "collective_work", run.collective->name);
    json_.key("id");
    json_.raw(fmt::format("\"0x{:x}\"", run.correlation));
    host_track(call.thread);
    json_.line();
    time("ts", at - origin_);
    close_event();
  }
}

void KinetoWriter::shadow(const Shadow& shadow) {
  open_event("X", "gpu_user_annotation", shadow.name, shadow.number);
  stream_track(shadow.stream);
  times(shadow.begin, shadow.end - shadow.begin);
  open_args();
  external_id(shadow.external_id);
  close_args();
  close_event();
}

void KinetoWriter::sample(const Sample& sample) {
  open_event("C", "hardware_counters", sample.name);
  json_.key("pid");
  json_.raw(fmt::format("\"GPU {} Counters\"", place_.device));
  id_field("tid", 0);
  json_.line();
  time("ts", sample.time - origin_);
  open_args();
  json_.field("", sample.value);
  close_args();
  close_event();
}

void KinetoWriter::cut_off_in(const Run& cut) {
  const std::int64_t whole = events_;
  json_.flush();
  run(cut, cut.end - cut.begin);
  json_.keep_quarter();
  json_.close_file();
  events_ = whole;
}

}  // namespace warpscope::tracegen
