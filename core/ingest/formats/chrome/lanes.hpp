#pragma once
// Classifies a Chrome trace's lanes by name: host threads, device streams, or rows that XLA and TensorFlow derive from
// streams and that would count the same time twice. Names may be at the end of the file, so the whole file is searched
// for names before any event is interpreted.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/ingest/events/raw_event.hpp"

namespace warpscope::ingest::chrome {

/// Returns 0 for "/device:GPU:0" or "/device:TPU:0 (any text)"; nullopt for the host or any other name.
[[nodiscard]] std::optional<std::int64_t> device_in(std::string_view process_name);
/// Returns 13 for "Stream #13(Compute)", 7 for "Stream #7"; nullopt for any other name.
[[nodiscard]] std::optional<std::int64_t> stream_in(std::string_view lane_name);

enum class LaneKind : std::uint8_t {
  host,      ///< a thread
  stream,    ///< GPU activity; other lanes do not count as GPU activity
  derived,   ///< computed from streams (modules, scopes, operators); shown as annotations
  steps,     ///< derived, one slice per training step
  overhead,  ///< the profiler's own overhead
  counters,  ///< samples written as slices
  dropped,   ///< duplicates another lane ("Async XLA Ops")
};

struct LaneUse {
  LaneKind kind = LaneKind::host;
  std::string process;  ///< as in the rank: device index, otherwise the "pid"
  std::string thread;   ///< stream number, otherwise the "tid"
};

/// Processes and lanes are keyed by "pid" and "tid" as text.
class Lanes {
 public:
  /// Reads names from metadata events; records the lane of any other event.
  void add(const RawEvent& event);
  /// Call once after the last event.
  void decide();

  [[nodiscard]] const LaneUse& use(std::string_view process, std::string_view thread) const;
  /// Returns true if any process is named after a device.
  [[nodiscard]] bool has_devices() const { return devices_ > 0; }
  /// Returns true if any process has an XLA-style name ("/host:CPU").
  [[nodiscard]] bool of_xla() const { return of_xla_; }
  /// Returns lane names by process and thread.
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
  // Caches the last lane looked up, because consecutive events are usually in the same lane.
  mutable std::string last_process_, last_thread_;
  mutable const LaneUse* last_ = nullptr;
};

}  // namespace warpscope::ingest::chrome
