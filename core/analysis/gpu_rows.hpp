#pragma once
// What ran on a rank's devices as one list, rank by rank: the input of the analyses that HTA has too. Which rows count
// is decided here and nowhere else: all that the trace recorded; or, for comparison, the rows that HTA keeps.
//
// HTA's rows: waits that stand on a stream (cuda_sync) count as if they ran; and where the profile has at least two
// different ProfilerSteps, only what was launched before the last of them began is kept, so that what has no launch
// falls out too. "Began" is the latest begin of any row of that name, shadows on devices included, so the last step is
// kept whole where the trace has shadows.
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/kernel_class.hpp"
#include "core/analysis/scope.hpp"
#include "core/base/progress.hpp"

namespace warpscope::analysis {

struct GpuRow {
  Interval time;  ///< clipped to the scope's range; rounded as HTA does, it may end before it begins
  NameId name = 0;
  KernelClass kind = KernelClass::computation;
  trace::Role role = trace::Role::kernel;
  std::uint32_t device = 0;  ///< index into Rank::devices
  std::uint32_t track = 0;   ///< its stream: index into Rank::tracks
  trace::SliceOrdinal slice = 0;
  std::optional<trace::SliceOrdinal> launch{};
};

/// Chooses the rows once for a profile; then makes the list of one rank after the other, so that at no time more than
/// one is in memory.
class GpuRows {
 public:
  GpuRows(const trace::Profile& profile, Scope scope, const KernelClasses::Choice& choice,
          const CancelToken* cancel = nullptr);

  /// Indices of the scope's ranks.
  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return ranks_; }
  /// By begin, then by end; of equals the earlier in the trace's order of tracks first. Impossible slices are left out.
  /// O(n log n).
  [[nodiscard]] std::vector<GpuRow> of(std::uint32_t rank) const;

 private:
  [[nodiscard]] std::optional<Ns> last_step_begin(const trace::Rank& rank) const;

  const trace::Profile& profile_;
  Scope scope_;
  bool hta_;
  bool rounding_;
  const CancelToken* cancel_;
  KernelClasses classes_;
  std::vector<std::uint32_t> ranks_;
  std::vector<NameId> step_names_;  // of HTA: different ProfilerStep names, over all ranks
};

/// The union of the rows that `counts` takes, as intervals that neither touch nor overlap, by begin. `rows`: by begin.
template <class Counts>
[[nodiscard]] std::vector<Interval> union_of(const std::vector<GpuRow>& rows, Counts counts) {
  std::vector<Interval> joined;
  for (const GpuRow& row : rows) {
    if (!counts(row)) continue;
    if (!joined.empty() && row.time.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, row.time.end);
    else
      joined.push_back(row.time);
  }
  return joined;
}

/// "No GPU ran anything here.", or how many of the ranks ran nothing.
[[nodiscard]] std::string without_runs_note(std::size_t without, std::size_t ranks);

/// Time that intervals which do not overlap cover.
[[nodiscard]] Ns total_length(const std::vector<Interval>& intervals);

}  // namespace warpscope::analysis
