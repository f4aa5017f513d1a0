#pragma once
// Memory blocks allocated by PyTorch's allocator, from the "[memory]" events of a rank. A block consists of an
// allocation and the deallocation of the same address, each with the operator that was running. Blocks that are never
// freed, or were allocated before the recording, have only one of the two.
//
// O(n log n) in the number of events and host slices.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/operators/host_events.hpp"

namespace warpscope::analysis {

/// An allocation or deallocation, with its operator.
struct PlacedChange {
  MemoryChange change;
  std::string_view op;  ///< innermost operator on its thread, "" outside operators
};

struct MemoryBlock {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  std::uint32_t allocation = kNone;  ///< index into RankMemory::changes
  std::uint32_t release = kNone;
  std::int64_t bytes = 0;
};

struct RankMemory {
  std::vector<PlacedChange> changes;  ///< by time
  std::vector<MemoryBlock> blocks;    ///< by first end; empty if addresses are not recorded
  bool addresses = false;
  std::vector<PlacedChange> failed;  ///< failed allocations: "[OutOfMemory]" events, by time
};

/// Returns the changes within the scope's range. Errors: as EventLookup::read_each. `rows`: GpuRows::of(rank).
[[nodiscard]] Result<RankMemory> rank_memory(const AnalysisInput& input, std::uint32_t rank, const GpuRows::Rows& rows);

/// Tracks one device's memory use across a rank's changes: bytes in use after each change.
class UsedMemory {
 public:
  /// Must be called with the changes in time order. Uses recorded totals if available; otherwise counts from 0.
  void add(const MemoryChange& change);
  [[nodiscard]] std::int64_t used() const { return used_; }

 private:
  std::int64_t used_ = 0;
};

}  // namespace warpscope::analysis
