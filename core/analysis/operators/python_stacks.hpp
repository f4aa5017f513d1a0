#pragma once
// Python frames around host events, as a tree of call sites: events with equal stacks share a node.
//
// Walks a thread's frames and events in parallel, by start time. A frame encloses an event if it starts no later
// and ends no earlier. Nesting uses full durations even if only a range is evaluated; calls and times are counted
// within the range. Frames nest, so the innermost frame around an event is the topmost open frame that ends no earlier
// than the event. O(n log n) in the number of frames and events.
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/analysis/operators/host_events.hpp"

namespace warpscope::analysis {

class PythonStacks {
 public:
  static constexpr std::uint32_t kTop = 0;  ///< node of events without frames

  /// Reads the Python frames of threads with events. `counts`: selects the frames to keep, by name.
  PythonStacks(const AnalysisInput& input, std::uint32_t rank, const std::vector<HostEvent>& events,
               const std::function<bool(std::string_view)>& counts);

  /// True if the rank has any Python frames, even if all were filtered out.
  [[nodiscard]] bool recorded() const { return recorded_; }
  /// Returns the node of each event.
  [[nodiscard]] const std::vector<std::uint32_t>& of_events() const { return of_events_; }
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  [[nodiscard]] std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; }
  [[nodiscard]] NameId name(std::uint32_t node) const { return nodes_[node].name; }  ///< not of kTop
  [[nodiscard]] std::uint64_t calls(std::uint32_t node) const { return nodes_[node].calls; }
  [[nodiscard]] Ns time(std::uint32_t node) const { return nodes_[node].time; }  ///< sum over the calls

 private:
  struct Node {
    std::uint32_t parent = kTop;
    NameId name = 0;
    std::uint64_t calls = 0;
    Ns time = 0;
  };
  struct Frame {
    Interval time;
    trace::SliceOrdinal slice = 0;
    NameId name = 0;
  };
  struct OpenFrame {
    Ns end = 0;
    std::uint32_t node = kTop;
  };
  static std::vector<Frame> frames_of(const AnalysisInput& input, const trace::Rank& rank, const trace::Track& track);
  [[nodiscard]] std::uint32_t node_of(std::uint32_t parent, NameId name);
  void open_frame(const Frame& frame, bool kept, const std::optional<Interval>& range, std::vector<OpenFrame>& open);

  std::vector<Node> nodes_{Node{}};
  std::unordered_map<std::uint64_t, std::uint32_t> children_;  // parent and name → node
  std::vector<std::uint32_t> of_events_;
  bool recorded_ = false;
};

}  // namespace warpscope::analysis
