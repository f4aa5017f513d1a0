#pragma once
// First pass over a Chrome trace: collects lanes, ids that connect launches to GPU activity, and the events at both
// ends of each flow.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/ingest/formats/chrome/lanes.hpp"

namespace warpscope::ingest::chrome {

/// Returns the id that connects a launch to GPU activity, as XLA writes it: a string or a number in the arguments.
[[nodiscard]] std::optional<std::int64_t> correlation_in(std::string_view arguments);

class Survey final : public EventSink {
 public:
  using Lane = std::pair<std::string, std::string>;  ///< "pid", "tid"
  struct FlowEnd {
    Ns time = 0;
    std::uint32_t flow = 0;
    char phase = 0;
  };
  using FlowEnds = std::map<Lane, std::vector<FlowEnd>>;

  void event(const RawEvent& event) override;
  /// Call once after the last event.
  void finish();

  [[nodiscard]] const Lanes& lanes() const { return lanes_; }
  /// Returns true if any GPU activity has this id.
  [[nodiscard]] bool runs_on_device(std::int64_t correlation) const { return run_ids_.contains(correlation); }
  [[nodiscard]] std::uint64_t slices() const { return slices_; }
  /// Returns true if a slice lacks a name, process or thread, even though most slices have one.
  [[nodiscard]] bool is_incomplete(const RawEvent& slice) const;
  /// True if events have PyTorch profiler categories.
  [[nodiscard]] bool of_pytorch() const { return of_pytorch_; }
  /// Returns the number assigned to the category, name and id of a flow event; nullopt if the flow has only one end.
  [[nodiscard]] std::optional<std::uint32_t> flow_of(const RawEvent& event) const;
  /// Returns true if the flow starts on a host thread and ends on a stream, so it represents a launch.
  [[nodiscard]] bool is_launch(std::uint32_t flow) const { return flows_[flow].launches; }
  /// Returns both ends of all flows that represent launches, by lane and in time order. Call once.
  [[nodiscard]] FlowEnds take_launch_ends() { return std::move(ends_); }
  /// Returns true if the flow has steps but no end; its last step is treated as the end.
  [[nodiscard]] bool ends_with_step(std::uint32_t flow) const { return !flows_[flow].ended; }

 private:
  struct Flow {
    bool started = false;
    bool ended = false;    ///< by 'f'
    bool stepped = false;  ///< by 't'
    bool launches = false;
    const Lane* from = nullptr;  ///< in ends_, until finish()
    const Lane* to = nullptr;
  };
  [[nodiscard]] static std::string flow_key(const RawEvent& event);

  Lanes lanes_;
  std::uint64_t slices_ = 0;
  std::uint64_t named_ = 0, with_process_ = 0, with_thread_ = 0;  // of these
  bool of_pytorch_ = false;
  struct Identified {
    std::string process, thread;
    std::int64_t correlation = 0;
  };
  std::vector<Identified> identified_;
  std::unordered_set<std::int64_t> run_ids_;
  std::unordered_map<std::string, std::uint32_t> flow_numbers_;
  std::vector<Flow> flows_;
  FlowEnds ends_;  // of all flows, until finish()
};

}  // namespace warpscope::ingest::chrome
