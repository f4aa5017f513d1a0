#include "core/ingest/formats/pevents/phase.hpp"

#include <algorithm>

#include "core/base/ascii.hpp"
#include "core/ingest/json/flat_arguments.hpp"
#include "core/ingest/json/number.hpp"

namespace warpscope::ingest::pevents {

namespace {

constexpr std::string_view kStepPhase = "Step:ModeKeys";
constexpr std::string_view kGpuPhase = "gpu_functions-dev:";
constexpr std::string_view kBaseKey = "start_time_since_epoch_in_micros";

}  // namespace

PhaseKind phase_kind(std::string_view phase, std::string_view file_kind) {
  if (!device_of_phase(phase).empty()) return PhaseKind::gpu;
  if (phase.starts_with(kStepPhase)) return PhaseKind::step;
  if (phase.starts_with("Forward")) return PhaseKind::forward;
  if (phase.starts_with("Backward")) return PhaseKind::backward;
  if (phase.starts_with("DataLoader")) return PhaseKind::loader;
  if (phase == "DataIterator" || phase == "Dataset") return PhaseKind::data;
  if (phase == "cpu_functions") return PhaseKind::operators;
  const std::string folded = lower(phase);
  if (folded.find("horovod") != std::string::npos || phase == "NcclManager" || file_kind == "horovod_timeline" ||
      file_kind == "smdataparallel_timeline")
    return PhaseKind::collectives;
  return PhaseKind::other;
}

std::string_view device_of_phase(std::string_view phase) {
  if (!phase.starts_with(kGpuPhase)) return {};
  const std::string_view device = phase.substr(kGpuPhase.size());
  return digits_at(device, 0) == device.size() ? device : std::string_view();
}

bool is_annotation(std::string_view phase, PhaseKind kind) {
  if (kind == PhaseKind::step || kind == PhaseKind::loader) return true;
  return (kind == PhaseKind::forward || kind == PhaseKind::backward) &&
         phase.find("SubModule") == std::string_view::npos;
}

std::optional<Ns> base_in(const RawEvent& event) {
  if (event.phase != 'M' || event.name != "process_name" || event.process != "0") return std::nullopt;
  std::optional<Ns> base;
  bool named = false;
  for_each_argument(event.arguments, [&](std::string_view key, std::string_view value) {
    named = named || key == "name";
    if (key != kBaseKey) return;
    const json::Number number = json::parse_microseconds(value);
    if (number.status == json::NumberStatus::ok) base = number.value;
  });
  return named ? std::nullopt : base;
}

void Announced::add(const RawEvent& event) {
  if (const auto base = base_in(event)) {
    base_ = *base;
    return;
  }
  if (event.name != "process_name") return;
  if (const std::string_view name = argument(event.arguments, "name"); !name.empty())
    phases_.insert_or_assign(std::string(event.process), std::string(name));
}

std::string_view Announced::phase(std::string_view number) const {
  const auto found = phases_.find(number);
  return found == phases_.end() ? std::string_view(unnamed_) : std::string_view(found->second);
}

PhaseArguments::PhaseArguments(std::string_view arguments) {
  std::string_view name;
  for_each_argument(arguments, [&](std::string_view key, std::string_view value) {
    if (key == "pid") pid = value;
    if (key == "tid") tid = value;
    if (key == "thread_id") thread = value;
    if (key == "worker_id") worker = value;
    if (key == "step_num") step = value;
    if (key == "layer_name") layer = value;
    if (key == "name") name = value;
    if (key == "start_cpu_thread") launch_thread = value;
    if (key == "cpu_thread_start_time") launch_time = value;
    if (key == "event_name") launch_name = value;
  });
  if (layer.empty()) layer = name;
}

std::string slice_name(std::string_view name, std::string_view layer, std::string_view step) {
  if (name.starts_with(kStepPhase))
    return step.empty() ? std::string(name) : std::string(name).append("#").append(step);
  return std::string(layer.empty() ? name : layer);
}

}  // namespace warpscope::ingest::pevents
