#pragma once
// The host events of a rank as PyTorch's profiler counts them in key_averages(): operators, annotations and runtime
// calls, nested by time on each thread. Each event includes the time of the GPU activity it launches and the memory it
// allocates.
//
// PyTorch nests strictly: an event is the child of the innermost open event that ends no earlier, and an event that
// outlives an open one closes it. This differs from CallTree, which tolerates clock noise and includes Python frames.
// Each kernel is attributed to the innermost operator around its launch or, without one, to the innermost annotation.
// An only child with the same name as its parent is merged into the parent. An allocation counts toward all events open
// at that time, on any thread.
//
// Semantics match torch/autograd/profiler_util.py. O(n log n) in the number of events.
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/gpu_rows.hpp"

namespace warpscope::analysis {

struct HostEvent {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  Interval time;  ///< clipped to the scope's range
  trace::SliceOrdinal slice = 0;
  NameId name = 0;
  std::uint32_t parent = kNone;  ///< index; kNone at the top
  std::uint32_t children = 0;
  trace::Role role = trace::Role::op;
  bool merged = false;  ///< merged into its parent, so not a separate event
  Ns children_time = 0;
  Ns self_device = 0;           ///< GPU activity attributed to it
  Ns device_total = 0;          ///< including descendants
  std::int64_t cpu_memory = 0;  ///< bytes allocated minus bytes freed, including descendants
  std::int64_t device_memory = 0;
  std::int64_t children_cpu_memory = 0;
  std::int64_t children_device_memory = 0;

  [[nodiscard]] Ns self() const { return time.length() - children_time; }
};

/// A GPU activity and the event it is attributed to.
struct OwnedActivity {
  GpuRow row;
  std::uint32_t owner = HostEvent::kNone;  ///< index; kNone: not launched by any operator or annotation of the scope
};

/// An allocation or deallocation, from a "[memory]" event.
struct MemoryChange {
  Ns time = 0;
  std::int64_t bytes = 0;  ///< negative: freed
  bool on_device = false;
  std::int64_t device = -1;
  std::int64_t reserved = -1;  ///< by the device's allocator afterwards; -1: not recorded
  trace::SliceOrdinal slice = 0;
  std::int64_t allocated = -1;  ///< in use on the device afterwards; -1: not recorded
  std::int64_t address = -1;    ///< -1: not recorded
};

/// Reads the "[memory]" events of a rank, sorted by time. Errors: as EventLookup::read_each.
[[nodiscard]] Result<std::vector<MemoryChange>> memory_changes(const AnalysisInput& input, std::uint32_t rank);
/// Reads the "[OutOfMemory]" events of a rank: `bytes` is the requested size. `device` is less than -1 if the device is
/// not recorded.
[[nodiscard]] Result<std::vector<MemoryChange>> failed_allocations(const AnalysisInput& input, std::uint32_t rank);

class HostEvents {
 public:
  /// Builds the events of a rank (index) within the scope. `rows`: GpuRows::of(rank). `memory`: sorted by time; may be
  /// empty.
  HostEvents(const AnalysisInput& input, std::uint32_t rank, const GpuRows::Rows& rows,
             const std::vector<MemoryChange>& memory);

  /// Returns the events thread by thread, ordered by start, parents before children; includes merged events.
  [[nodiscard]] const std::vector<HostEvent>& events() const { return events_; }
  /// Returns the GPU activity in the order of `rows`.
  [[nodiscard]] const std::vector<OwnedActivity>& activity() const { return activity_; }
  /// Returns the memory changes outside any event.
  [[nodiscard]] const std::vector<MemoryChange>& unclaimed() const { return unclaimed_; }

 private:
  void add_thread(const AnalysisInput& input, std::uint32_t rank_index, const trace::Track& track);
  void own_activity(const GpuRows::Rows& rows);
  void merge_repeated();
  void sum_up(const std::vector<MemoryChange>& memory);

  std::vector<HostEvent> events_;
  std::vector<OwnedActivity> activity_;
  std::vector<MemoryChange> unclaimed_;
  trace::SliceOrdinal slices_ = 0;
  NameId steps_ = 0;                 // the common name for all steps of PyTorch's profiler
  std::vector<std::uint8_t> names_;  // by name: how it is listed
};

/// Returns the name PyTorch uses for an event: "ProfilerStep*" for all steps, otherwise the event's own name.
[[nodiscard]] std::string_view listed_name(std::string_view name);

/// Returns, for each change, the index of the innermost operator around it on its thread; HostEvent::kNone if there is
/// none. PyTorch's table instead counts an allocation toward the events open on all threads at that time. `events`:
/// HostEvents::events() of the rank. O(n log n).
[[nodiscard]] std::vector<std::uint32_t> owners_of(const trace::Rank& rank, const std::vector<HostEvent>& events,
                                                   std::span<const MemoryChange> changes);

}  // namespace warpscope::analysis
