#pragma once
// The first of two looks at a Chrome trace: which lanes there are, which ids join a launch to what it launched, which
// events the two ends of a flow belong to.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ingest/formats/chrome/lanes.hpp"

namespace warpscope::ingest::chrome {

/// The id that joins a launch to a run, as XLA writes it: a string or a number in the arguments.
[[nodiscard]] std::optional<std::int64_t> correlation_in(std::string_view arguments);

class Survey final : public EventSink {
 public:
  void event(const RawEvent& event) override;
  void metadata(std::string_view, std::string_view) override {}
  /// Call once after the last event.
  void finish();

  [[nodiscard]] const Lanes& lanes() const { return lanes_; }
  /// True if something on a stream has this id.
  [[nodiscard]] bool runs_on_device(std::int64_t correlation) const { return run_ids_.contains(correlation); }
  [[nodiscard]] std::uint64_t slices() const { return slices_; }
  /// The number of a flow event's category, name and id; nothing for one of a single end.
  [[nodiscard]] std::optional<std::uint32_t> flow_of(const RawEvent& event) const;
  /// True if the flow starts on a host thread and ends on a stream: it stands for a launch.
  [[nodiscard]] bool is_launch(std::uint32_t flow) const { return flows_[flow].launches; }
  /// True if any flow is.
  [[nodiscard]] bool has_launch_flows() const { return launch_flows_; }
  /// True if the flow has no end but steps, the last of which counts as its end.
  [[nodiscard]] bool ends_with_step(std::uint32_t flow) const { return !flows_[flow].ended; }

 private:
  struct Flow {
    bool started = false;
    bool ended = false;    ///< by 'f'
    bool stepped = false;  ///< by 't'
    bool launches = false;
    std::string from_process, from_thread, to_process, to_thread;
  };
  [[nodiscard]] static std::string flow_key(const RawEvent& event);

  Lanes lanes_;
  std::uint64_t slices_ = 0;
  struct Identified {
    std::string process, thread;
    std::int64_t correlation = 0;
  };
  std::vector<Identified> identified_;
  std::unordered_set<std::int64_t> run_ids_;
  std::unordered_map<std::string, std::uint32_t> flow_numbers_;
  std::vector<Flow> flows_;
  bool launch_flows_ = false;
};

}  // namespace warpscope::ingest::chrome
