#pragma once
// Host calls that start collectives: PyTorch's record_param_comms, its annotations `nccl:…` and the operators
// `c10d::…`. A kernel that is launched inside one of them communicates, whatever it is called.
//
// The calls of a rank are found when the first launch is looked up: one pass over the names on its launching threads,
// and none at all if the profile has no such name. They are kept as a union of intervals per thread. An annotation that
// outlives the call it starts in is asynchronous (Meta's accelerator has such) and does not count: what is launched
// meanwhile is not its own.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/lazy.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// True for the names above.
[[nodiscard]] bool is_collective_call(std::string_view name);

/// Safe from any thread; must not outlive the profile.
class CollectiveCalls {
 public:
  /// O(names).
  explicit CollectiveCalls(const trace::Profile& profile);

  /// False if no name of the profile is one: then no launch is inside.
  [[nodiscard]] bool any() const { return any_; }
  /// True if the launch starts inside such a call of its thread. O(log calls); O(host slices) once for each rank.
  [[nodiscard]] bool enclose(std::uint32_t rank, trace::SliceOrdinal launch) const {
    return any_ && is_inside(rank, launch);
  }

 private:
  using ByTrack = std::vector<std::vector<Interval>>;  // disjoint, by begin

  [[nodiscard]] bool is_inside(std::uint32_t rank, trace::SliceOrdinal launch) const;
  [[nodiscard]] ByTrack calls_of(const trace::Rank& rank) const;

  const trace::Profile& profile_;
  std::vector<char> starts_collective_;  // by name
  bool any_ = false;
  std::vector<trace::Lazy<ByTrack>> by_rank_;
};

}  // namespace warpscope::analysis
