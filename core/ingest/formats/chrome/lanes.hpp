#pragma once
// What the lanes of a Chrome trace are: host threads, streams of a device, or rows that XLA and TensorFlow derive from
// streams and that would count the same time twice. Names decide, and they may stand at the end of the file, so they
// are collected from all of it before anything is made of an event.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/ingest/events/raw_event.hpp"

namespace warpscope::ingest::chrome {

/// 0 of "/device:GPU:0" or "/device:TPU:0 (some words)"; nothing for the host or for any other name.
[[nodiscard]] std::optional<std::int64_t> device_in(std::string_view process_name);
/// 13 of "Stream #13(Compute)", 7 of "Stream #7"; nothing for any other name.
[[nodiscard]] std::optional<std::int64_t> stream_in(std::string_view lane_name);

enum class LaneKind : std::uint8_t {
  host,      ///< a thread
  stream,    ///< what the device ran: the only lanes that count as its activity
  derived,   ///< what was computed from streams: modules, scopes, operators; annotations here
  steps,     ///< derived, one slice a training step
  overhead,  ///< the profiler's own
  counters,  ///< samples written as slices
  dropped,   ///< repeats another lane ("Async XLA Ops")
};

struct LaneUse {
  LaneKind kind = LaneKind::host;
  std::string process;  ///< as the rank has it: a device's index, else the "pid"
  std::string thread;   ///< a stream's number, else the "tid"
};

/// Processes and lanes are keyed by "pid" and "tid" as text.
class Lanes {
 public:
  /// Takes names out of metadata events; of others, that the lane is there.
  void add(const RawEvent& event);
  /// Call once after the last event.
  void decide();

  [[nodiscard]] const LaneUse& use(std::string_view process, std::string_view thread) const;
  /// True if a process is named after a device.
  [[nodiscard]] bool has_devices() const { return devices_ > 0; }
  /// True if processes are named as XLA names them ("/host:CPU").
  [[nodiscard]] bool of_xla() const { return of_xla_; }
  /// What the lanes are called, by the process and thread of their use.
  [[nodiscard]] std::map<std::pair<std::string, std::string>, std::string> labels() const;

 private:
  using Key = std::pair<std::string, std::string>;
  struct Lane {
    std::string name;
    bool used = false;
    LaneUse use;
  };
  [[nodiscard]] LaneKind kind_on_device(std::string_view name, bool has_streams) const;

  std::map<std::string, std::string, std::less<>> processes_;
  std::map<Key, Lane> lanes_;
  std::size_t devices_ = 0;
  bool of_xla_ = false;
  // The lane asked for last: events come in runs.
  mutable std::string last_process_, last_thread_;
  mutable const LaneUse* last_ = nullptr;
};

}  // namespace warpscope::ingest::chrome
