#pragma once
// What ran on a rank's devices as one list, rank by rank: the input of the analyses that HTA has too. Which rows count
// is decided here and nowhere else: all that the trace recorded; or, for comparison, the rows that HTA keeps.
//
// HTA's rows: waits that stand on a stream (cuda_sync) count as if they ran, transfers that say no stream do not; and
// where it leaves out the last step (hta_steps.hpp), only what was launched before that is kept, so that what has no
// launch falls out too.
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/analysis/request/shared_results.hpp"
#include "core/analysis/shared/hta_steps.hpp"
#include "core/base/progress.hpp"
#include "core/trace/lazy.hpp"

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

/// Chooses the rows once for a profile; then makes the list of one rank after the other. Alone, no more than one of
/// them is in memory at any time; several analyses share them as far as `shared` has room.
class GpuRows {
 public:
  using Rows = std::vector<GpuRow>;

  /// `shared`: of this profile, or null. With it rows have classes even if `choice` asks for none, so that there is one
  /// list for all.
  GpuRows(const trace::Profile& profile, Scope scope, const KernelClasses::Choice& choice,
          const CancelToken* cancel = nullptr, SharedResults* shared = nullptr);

  /// Indices of the scope's ranks.
  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return ranks_; }
  /// By begin, then by end, then by ordinal, that is in the order of tracks. Impossible slices are left out.
  /// Never null. O(n log n).
  [[nodiscard]] std::shared_ptr<const Rows> of(std::uint32_t rank) const;
  /// When the launch of one of its rows began, rounded as the row is. O(log lanes).
  [[nodiscard]] std::optional<Ns> launch_begin(std::uint32_t rank, const GpuRow& row) const;
  /// The launch from begin to end, rounded as the row is: it may end before it begins. O(log lanes).
  [[nodiscard]] std::optional<Interval> launch_time(std::uint32_t rank, const GpuRow& row) const;

  /// What `make()` makes of the rows of a rank, shared as they are. `what`: which of all that is made of rows; others
  /// as SharedResults::get.
  template <class Make, class BytesOf>
  [[nodiscard]] auto derived(std::string_view what, std::uint32_t rank, Make make, BytesOf bytes_of) const {
    return get_shared(shared_, key(what, rank), cancel_, std::move(make), std::move(bytes_of));
  }

 private:
  [[nodiscard]] std::string key(std::string_view what, std::uint32_t rank) const;
  [[nodiscard]] Rows rows_of_rank(std::uint32_t rank) const;

  const trace::Profile& profile_;
  Scope scope_;
  KernelClasses::Choice choice_;
  const CancelToken* cancel_;
  SharedResults* shared_;
  trace::Lazy<std::shared_ptr<const KernelClasses>> classes_;
  std::vector<std::uint32_t> ranks_;
  std::optional<HtaSteps> steps_;  // as HTA counts
};

/// The memory that a list of them takes.
[[nodiscard]] inline std::size_t bytes_of_rows(const GpuRows::Rows& rows) { return rows.capacity() * sizeof(GpuRow); }

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

/// How many of its devices are looked at apart from each other: all, or as HTA does, together as one.
[[nodiscard]] inline std::uint32_t device_groups(const trace::Rank& rank, bool hta) {
  return hta ? 1 : static_cast<std::uint32_t>(rank.devices.size());
}

/// "No GPU ran anything here.", how many of the ranks ran nothing, or "" if all ran something.
[[nodiscard]] std::string without_runs_note(std::size_t without, std::size_t ranks);

/// Time that intervals which do not overlap cover.
[[nodiscard]] Ns total_length(const std::vector<Interval>& intervals);

/// Time that both cover; each as union_of() makes it. O(a · log b + overlaps).
[[nodiscard]] Ns common_length(const std::vector<Interval>& a, const std::vector<Interval>& b);

}  // namespace warpscope::analysis
