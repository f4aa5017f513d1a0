#include "core/ingest/formats/chrome/translator.hpp"

#include <algorithm>
#include <array>

#include "core/base/ascii.hpp"
#include "core/ingest/json/flat_arguments.hpp"

namespace warpscope::ingest::chrome {

namespace {

/// Returns the digits after `key` in "kind_src:device kind_dst:device size:4096 dest:0 async:1".
std::string_view detail(std::string_view details, std::string_view key) {
  const std::size_t at = details.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view value = details.substr(at + key.size());
  return value.substr(0, value.find_first_not_of("0123456789"));
}

bool any_prefix(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool copies_memory(std::string_view name) {
  return any_prefix(name, {"Memcpy", "memcpy", "MemCpy", "__amd_rocclr_copyBuffer", "hipMemcpy", "CopyDevice"});
}

bool sets_memory(std::string_view name) {
  return any_prefix(name, {"Memset", "memset", "MemSet", "__amd_rocclr_fillBuffer"});
}

/// Recognizes runtime and driver calls by name: "cudaLaunchKernel", "hipModuleLaunchKernel", "cuStreamSynchronize".
bool is_api_call(std::string_view name) {
  const auto capital_at = [&](std::size_t i) { return i < name.size() && name[i] >= 'A' && name[i] <= 'Z'; };
  return (name.starts_with("cuda") && capital_at(4)) || (name.starts_with("hip") && capital_at(3)) ||
         (name.starts_with("cu") && capital_at(2));
}

}  // namespace

void Translator::event(const RawEvent& event) {
  // XLA ends its list with "{}".
  if (event.phase == 0 && event.name.empty() && !event.has_time && event.arguments.empty()) return;
  switch (event.phase) {
    case 'M':
      return;  // the survey already has the names
    case 's':
    case 't':
    case 'f':
      return flow(event);
    default:
      break;
  }
  if (event.phase == 'X' && survey_.is_incomplete(event))
    return diagnostics_.add("missing-field", Severity::warning, file_, event.offset, event.name);
  const LaneUse& use = survey_.lanes().use(event.process, event.thread);
  if (use.kind == LaneKind::dropped) {
    ++dropped_;
    return;
  }
  if (use.kind == LaneKind::counters && event.phase == 'X') return sample(event);
  slice(event, use);
}

void Translator::slice(RawEvent event, const LaneUse& use) {
  if (event.phase == 'X' || event.phase == 'B' || event.phase == 'E' || event.phase == 'i' || event.phase == 'I') {
    event.process = use.process;
    event.thread = use.thread;
    event.shape = event.place = 0;  // the parser's hints apply to the original text
  }
  switch (event.phase == 'X' ? use.kind : LaneKind::host) {
    case LaneKind::stream:
      run(event);
      break;
    case LaneKind::derived:
      event.category = "gpu_user_annotation";
      break;
    case LaneKind::steps:
      event.category = "user_annotation";
      if (event.name.find_first_not_of("0123456789") == std::string_view::npos) {
        name_.assign("step ").append(event.name);
        event.name = name_;
        event.name_key = 0;
      }
      break;
    case LaneKind::overhead:
      event.category = "overhead";
      break;
    default:
      host(event);
      break;
  }
  sink_.event(event);
}

void Translator::run(RawEvent& event) {
  auto correlation = correlation_in(event.arguments);
  if (!correlation) correlation = launches_.correlation_at(event.offset);
  event.has_correlation = correlation.has_value();
  event.correlation = correlation.value_or(0);
  const std::string_view details = argument(event.arguments, "memcpy_details");
  event.category = sets_memory(event.name)                         ? "gpu_memset"
                   : copies_memory(event.name) || !details.empty() ? "gpu_memcpy"
                                                                   : "kernel";
  arguments_.clear();
  if (const std::string_view bytes = detail(details, "size:"); !bytes.empty())
    arguments_.assign("{\"bytes\":").append(bytes).append(1, '}');
  event.arguments = arguments_;
}

void Translator::host(RawEvent& event) {
  if (event.phase != 'X') return;
  auto correlation = correlation_in(event.arguments);
  if (correlation && !survey_.runs_on_device(*correlation)) correlation.reset();
  if (!correlation) correlation = launches_.correlation_at(event.offset);
  event.has_correlation = correlation.has_value();
  event.correlation = correlation.value_or(0);
  if (correlation || is_api_call(event.name)) {
    event.category = "cuda_runtime";
    return;
  }
  if (!survey_.lanes().of_xla()) return;
  if (const std::string_view step = argument(event.arguments, "step_num"); !step.empty()) {
    // "train" with step_num 7 → "train step 7": names containing "step" count as training steps.
    name_.assign(event.name).append(lower(event.name).find("step") == std::string::npos ? " step " : " ").append(step);
    event.name = name_;
    event.name_key = 0;
    event.category = "user_annotation";
    return;
  }
  event.category = event.name.starts_with('$') ? "python_function" : "cpu_op";
}

/// Converts a slice that represents a counter sample, with the value in its arguments.
void Translator::sample(RawEvent event) {
  event.phase = 'C';
  event.has_duration = false;
  event.process = {};
  sink_.event(event);
}

/// Correlation ids already link launches; other flows become arrows between slices.
void Translator::flow(RawEvent event) {
  const auto number = survey_.flow_of(event);
  if (!number || survey_.is_launch(*number)) return;
  if (event.phase == 't') {
    if (!survey_.ends_with_step(*number)) return;
    event.phase = 'f';
  }
  const LaneUse& use = survey_.lanes().use(event.process, event.thread);
  if (use.kind != LaneKind::host) return;
  id_ = std::to_string(*number);
  event.id = id_;
  event.name = event.category = "fwdbwd";
  event.name_key = event.shape = event.place = 0;
  sink_.event(event);
}

}  // namespace warpscope::ingest::chrome
