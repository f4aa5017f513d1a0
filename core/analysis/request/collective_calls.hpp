#pragma once
// Host calls that start collectives: PyTorch's record_param_comms, its `nccl:…` annotations and the `c10d::…`
// operators. A kernel launched inside such a call counts as communication, regardless of its name.
//
// A rank's kernels are found on first use. One pass over the names on its launching threads finds the calls; launches
// nested in a call belong to it. Kernels that are already classified as communication by name are not stored. The pass
// is skipped for profiles without such calls. Annotations that outlive the call in which they start are asynchronous
// (recorded for Meta's accelerator). They are ignored, because launches during such an annotation need not belong to
// it.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace/lazy.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// True for the names listed above.
[[nodiscard]] bool is_collective_call(std::string_view name);

/// Thread-safe. Must not outlive the profile.
class CollectiveCalls {
 public:
  /// O(names).
  explicit CollectiveCalls(const trace::Profile& profile);

  /// True if the kernel is launched inside such a call. False for kernels whose lane already marks them as
  /// communication. O(log kernels); O(host slices) once per rank.
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
