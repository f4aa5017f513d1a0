#pragma once
// Lists of GPU activity by rank: the input to the analyses that HTA also provides. This file alone decides which rows
// count: all recorded rows or, for comparison, those that HTA keeps.
//
// HTA counts waits on a stream (cuda_sync) as activity and ignores memory transfers without a stream. If it leaves out
// the last step (hta_steps.hpp), it keeps only activity launched before that step, so activity without a launch is
// dropped too.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/analysis/request/shared_results.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/analysis/shared/intervals.hpp"
#include "core/base/progress.hpp"
#include "core/trace/lazy.hpp"

namespace warpscope::analysis {

struct GpuRow {
  Interval time;  ///< clipped to the scope's range; with HTA's rounding, it may end before it starts
  NameId name = 0;
  KernelClass kind = KernelClass::computation;
  trace::Role role = trace::Role::kernel;
  std::uint32_t device = 0;  ///< index into Rank::devices
  std::uint32_t track = 0;   ///< its stream: index into Rank::tracks
  trace::SliceOrdinal slice = 0;
  std::optional<trace::SliceOrdinal> launch{};
};

/// Selects the rows of a profile and builds the list of one rank at a time. Keeps only one list in memory at a time,
/// plus those that fit into `shared`.
class GpuRows {
 public:
  using Rows = std::vector<GpuRow>;

  /// `shared`: results of this profile, or null. If set, rows have classes even if `choice` needs none, so all analyses
  /// share one list.
  GpuRows(const trace::Profile& profile, Scope scope, const KernelClasses::Choice& choice,
          const CancelToken* cancel = nullptr, SharedResults* shared = nullptr);

  /// Returns the indices of the scope's ranks.
  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return ranks_; }
  /// Returns the rows of a rank, without impossible slices, sorted by start, then by end, then by ordinal (the order of
  /// tracks). Never null. O(n log n).
  [[nodiscard]] std::shared_ptr<const Rows> of(std::uint32_t rank) const;
  /// Returns the start of a row's launch, rounded like the row. O(log lanes).
  [[nodiscard]] std::optional<Ns> launch_begin(std::uint32_t rank, const GpuRow& row) const;
  /// Returns the start and end of a row's launch, rounded like the row, so the end may precede the start. O(log lanes).
  [[nodiscard]] std::optional<Interval> launch_time(std::uint32_t rank, const GpuRow& row) const;

  /// Returns a value that `make()` derives from the rows of a rank, shared like the rows. `what` identifies the value;
  /// other arguments as in SharedResults::get.
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
  HtaSteps steps_;
};

/// Returns the memory used by a list of rows, in bytes.
[[nodiscard]] inline std::size_t bytes_of_rows(const GpuRows::Rows& rows) { return rows.capacity() * sizeof(GpuRow); }

/// Returns the union of the rows that `counts` accepts, as disjoint, non-touching intervals sorted by start. `rows`
/// must be sorted by start.
template <class Counts>
[[nodiscard]] std::vector<Interval> union_of(std::span<const GpuRow> rows, Counts counts) {
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

/// Returns the number of device groups evaluated separately: one per device or, as in HTA, one for all.
[[nodiscard]] inline std::uint32_t device_groups(const trace::Rank& rank, bool hta) {
  return hta ? 1 : static_cast<std::uint32_t>(rank.devices.size());
}

/// Returns "No GPU activity in this selection." or a sentence with the number of ranks without GPU activity; "" if all
/// ranks have some.
[[nodiscard]] std::string without_runs_note(std::size_t without, std::size_t ranks);

// The GPU activity of a rank, separated by device. Code that handles one device after the other takes a device's rows
// from here: filtering all rows for each device takes quadratic time if a file has thousands of devices.

class RowsByDevice {
 public:
  /// `rows` must outlive this object. Copies them only if there are several devices. O(n log n).
  explicit RowsByDevice(std::span<const GpuRow> rows) : rows_(rows) {
    if (std::ranges::adjacent_find(rows, std::ranges::not_equal_to(), &GpuRow::device) == rows.end()) return;
    sorted_.assign(rows.begin(), rows.end());
    std::ranges::stable_sort(sorted_, {}, &GpuRow::device);
    rows_ = sorted_;
  }
  RowsByDevice(const RowsByDevice&) = delete;
  RowsByDevice& operator=(const RowsByDevice&) = delete;

  /// Returns the rows of a device, in the order of all rows. O(log n).
  [[nodiscard]] std::span<const GpuRow> of(std::uint32_t device) const {
    const auto found = std::ranges::equal_range(rows_, device, {}, &GpuRow::device);
    return {found.begin(), found.end()};
  }
  /// Calls visit(device, rows) for each device that has rows.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < rows_.size();) {
      const std::span<const GpuRow> own = of(rows_[i].device);
      visit(own.front().device, own);
      i += own.size();
    }
  }

 private:
  std::vector<GpuRow> sorted_;
  std::span<const GpuRow> rows_;
};

/// Calls visit(group, rows) for each device group (see device_groups) that has rows.
template <class Visit>
void for_each_device_group(std::span<const GpuRow> rows, bool hta, Visit visit) {
  if (!hta)
    RowsByDevice(rows).for_each(visit);
  else if (!rows.empty())
    visit(std::uint32_t{0}, rows);
}

}  // namespace warpscope::analysis
