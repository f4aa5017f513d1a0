#include "core/ingest/formats/chrome/lanes.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/ingest/json/flat_arguments.hpp"

namespace warpscope::ingest::chrome {

namespace {

/// Returns the number at the start of `text` if `rest` accepts the remaining text.
template <class Rest>
std::optional<std::int64_t> number_before(std::string_view text, Rest rest) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return rest(text) ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> device_in(std::string_view process_name) {
  constexpr std::string_view kPrefix = "/device:";
  if (!process_name.starts_with(kPrefix)) return std::nullopt;
  const std::size_t colon = process_name.find(':', kPrefix.size());
  if (colon == std::string_view::npos || process_name.substr(kPrefix.size()).starts_with("CPU")) return std::nullopt;
  return number_before(process_name.substr(colon + 1),
                       [](std::string_view rest) { return rest.empty() || rest.front() == ' '; });
}

std::optional<std::int64_t> stream_in(std::string_view lane_name) {
  constexpr std::string_view kPrefix = "Stream #";
  if (!lane_name.starts_with(kPrefix)) return std::nullopt;
  return number_before(lane_name.substr(kPrefix.size()), [](std::string_view rest) {
    return rest.empty() || rest.front() == ' ' || (rest.front() == '(' && rest.find(')') != std::string_view::npos);
  });
}

void Lanes::add(const RawEvent& event) {
  if (event.phase == 'M') {
    if (event.name == "process_name") processes_[std::string(event.process)] = argument(event.arguments, "name");
    if (event.name == "thread_name")
      lanes_[{std::string(event.process), std::string(event.thread)}].name = argument(event.arguments, "name");
    return;
  }
  if (event.phase == 0) return;
  if (last_ != nullptr && last_process_ == event.process && last_thread_ == event.thread) return;
  last_process_ = event.process;
  last_thread_ = event.thread;
  Lane& lane = lanes_[{last_process_, last_thread_}];
  lane.used = true;
  last_ = &lane.use;
}

LaneKind Lanes::kind_on_device(std::string_view name, bool has_streams) const {
  if (stream_in(name)) return LaneKind::stream;
  if (name == "_counters_") return LaneKind::counters;
  if (name == "CUPTI overhead") return LaneKind::overhead;
  if (name == "Async XLA Ops") return LaneKind::dropped;
  // TPUs have no streams; this lane contains their activity.
  if (name == "XLA Ops" && !has_streams) return LaneKind::stream;
  return name == "Steps" ? LaneKind::steps : LaneKind::derived;
}

void Lanes::decide() {
  last_ = nullptr;
  std::map<std::string, std::int64_t, std::less<>> devices;
  std::set<std::string, std::less<>> with_streams;
  for (const auto& [process, name] : processes_) {
    of_xla_ = of_xla_ || name.starts_with("/host:") || name.starts_with("/device:");
    if (const auto device = device_in(name)) devices.emplace(process, *device);
  }
  devices_ = devices.size();
  for (const auto& [key, lane] : lanes_)
    if (devices.contains(key.first) && lane.used && stream_in(lane.name)) with_streams.insert(key.first);
  bool steps = false;  // of one device only: other devices repeat the same steps
  for (auto& [key, lane] : lanes_) {
    const auto device = devices.find(key.first);
    lane.use = {LaneKind::host, key.first, key.second};
    if (device == devices.end()) continue;
    lane.use.kind = kind_on_device(lane.name, with_streams.contains(key.first));
    if (lane.use.kind == LaneKind::steps && std::exchange(steps, true)) lane.use.kind = LaneKind::derived;
    if (lane.use.kind == LaneKind::steps) continue;
    lane.use.process = std::to_string(device->second);
    if (const auto stream = stream_in(lane.name)) lane.use.thread = std::to_string(*stream);
  }
}

const LaneUse& Lanes::use(std::string_view process, std::string_view thread) const {
  if (last_ != nullptr && last_process_ == process && last_thread_ == thread) return *last_;
  last_process_ = process;
  last_thread_ = thread;
  static const LaneUse none;
  const auto found = lanes_.find({last_process_, last_thread_});
  return found == lanes_.end() ? none : *(last_ = &found->second.use);
}

std::map<std::pair<std::string, std::string>, std::string> Lanes::labels() const {
  std::size_t hosts = 0;  // processes with host threads
  std::string_view last;
  for (const auto& [key, lane] : lanes_)
    if (lane.used && lane.use.kind == LaneKind::host && std::exchange(last, key.first) != key.first) ++hosts;
  std::map<std::pair<std::string, std::string>, std::string> labels;
  for (const auto& [key, lane] : lanes_) {
    if (!lane.used) continue;
    std::string label = lane.name;
    const auto process = processes_.find(key.first);
    if (lane.use.kind == LaneKind::host && hosts > 1 && process != processes_.end() && !process->second.empty())
      label = process->second + " · " + (label.empty() ? "thread " + key.second : label);
    if (!label.empty()) labels[{lane.use.process, lane.use.thread}] = std::move(label);
  }
  return labels;
}

}  // namespace warpscope::ingest::chrome
