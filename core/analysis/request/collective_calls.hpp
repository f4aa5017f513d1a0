#pragma once
// Host calls that start collectives: PyTorch's record_param_comms, its annotations `nccl:…` and the operators
// `c10d::…`. A kernel that is launched inside one of them communicates, whatever it is called.
//
// The kernels of a rank are found when the first is asked for: one pass over the names on its launching threads finds
// the calls, and what lies below a call in the lanes of its thread are its launches. Where all of these kernels have
// names that say as much, nothing is left to keep, and asking costs nothing. If the profile has no such call at all,
// not even the pass is made. An annotation that outlives the call it starts in is asynchronous (Meta's accelerator has
// such) and does not count: what is launched meanwhile is not its own.
#include <algorithm>
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

  /// True if the kernel is launched inside such a call; false also for those whose lane says that they communicate.
  /// O(log kernels); O(host slices) once for each rank.
  [[nodiscard]] bool launch(std::uint32_t rank, trace::SliceOrdinal kernel) const {
    if (!any_) return false;
    const auto& kernels = by_rank_[rank].get([&] { return kernels_of(*profile_.ranks[rank]); });
    return !kernels.empty() && std::ranges::binary_search(kernels, kernel);
  }

 private:
  using Kernels = std::vector<trace::SliceOrdinal>;  // ascending

  [[nodiscard]] Kernels kernels_of(const trace::Rank& rank) const;
  [[nodiscard]] bool starts(NameId name) const { return starts_collective_[name] != 0; }

  const trace::Profile& profile_;
  std::vector<char> starts_collective_;  // by name
  bool any_ = false;
  std::vector<trace::Lazy<Kernels>> by_rank_;
};

}  // namespace warpscope::analysis
