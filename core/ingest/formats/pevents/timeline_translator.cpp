#include "core/ingest/formats/pevents/timeline_translator.hpp"

#include <algorithm>

#include "core/base/ascii.hpp"

namespace warpscope::ingest::pevents {

namespace {

constexpr int kTracksOfAKind = 1'000'000;

std::string_view category_of_run(std::string_view name) {
  const std::string folded = lower(name);
  if (folded.starts_with("memcpy") || folded.starts_with("[memcpy")) return "gpu_memcpy";
  return folded.starts_with("memset") || folded.starts_with("[memset") ? "gpu_memset" : "kernel";
}

}  // namespace

const std::string& PhaseTracks::host(PhaseKind kind, std::string_view phase, std::string_view part) {
  label_.assign(phase);
  if (!part.empty()) label_.append(" · ").append(part);
  const auto known = numbers_.find(label_);
  if (known != numbers_.end()) return known->second;
  std::string number = std::to_string(static_cast<int>(kind) * kTracksOfAKind + ++used_[kind]);
  labels_[{process_, number}] = label_;
  return numbers_[label_] = std::move(number);
}

const std::string& PhaseTracks::stream(std::string_view device, std::string_view phase) {
  labels_.try_emplace({std::string(device), stream_}, phase);
  return stream_;
}

void TimelineTranslator::event(const RawEvent& original) {
  if (original.phase == 0 && original.name.empty() && !original.has_time && original.arguments.empty()) return;
  RawEvent event = original;
  event.offset += text_begin_;
  if (event.phase == 'M') {
    announced_.add(event);
    return sink_.event(event);
  }
  if (event.phase == 'X' && (event.name.empty() || event.process.empty())) return incomplete_.add(event);
  event.shape = event.place = 0;  // the parser's hints apply to the original text
  const std::string_view phase = announced_.phase(event.process);
  const PhaseKind kind = phase_kind(phase, kind_);
  if (event.has_time) event.time = announced_.absolute(event.time);
  if (event.has_time && event.has_duration && event.duration > kLongestTimelineEvent) {
    clamped_.add(event);
    event.duration = std::max<Ns>(0, end_ - event.time);
  }
  const PhaseArguments arguments(event.arguments);
  if (kind == PhaseKind::gpu && event.phase == 'X')
    run(event, phase, arguments);
  else
    host(event, phase, kind, arguments);
  sink_.event(event);
}

void TimelineTranslator::run(RawEvent& event, std::string_view phase, const PhaseArguments& arguments) {
  event.process = device_of_phase(phase);
  event.thread = tracks_.stream(event.process, phase);
  event.category = category_of_run(event.name);
  const auto launch = survey_.launch_of(arguments, announced_);
  event.has_correlation = launch.has_value();
  event.correlation = launch.value_or(0);
}

void TimelineTranslator::host(RawEvent& event, std::string_view phase, PhaseKind kind,
                              const PhaseArguments& arguments) {
  part_.clear();
  if (kind == PhaseKind::operators && !arguments.tid.empty()) part_.assign("thread ").append(arguments.tid);
  if (!arguments.thread.empty()) part_.assign("thread ").append(arguments.thread);
  if (kind == PhaseKind::loader && !arguments.worker.empty()) part_.assign("worker ").append(arguments.worker);
  if (kind == PhaseKind::loader && part_.empty() && phase == "DataLoaderWorker" && !arguments.pid.empty())
    part_.assign("process ").append(arguments.pid);
  event.process = tracks_.process();
  event.thread = tracks_.host(kind, phase, part_);
  const std::string_view original = event.name;
  name_ = slice_name(event.name, arguments.layer, arguments.step);
  if (name_ != event.name) {
    event.name = name_;
    event.name_key = 0;
  }
  event.category = is_annotation(phase, kind) ? "user_annotation" : "cpu_op";
  event.has_correlation = false;
  if (kind != PhaseKind::operators || event.phase != 'X') return;
  if (const auto launch = survey_.launch_by(arguments.tid, event.time, original)) {
    event.category = "cuda_runtime";
    event.has_correlation = true;
    event.correlation = *launch;
  }
}

}  // namespace warpscope::ingest::pevents
