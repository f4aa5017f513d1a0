#pragma once
// Pairs GPU activity with the host call that launched it, for all launch analyses. This file decides which calls count:
// all calls that launched something (CUDA runtime and driver, HIP, whole graphs) or, for comparison, those that HTA
// recognizes by name.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"
#include "core/base/stretches.hpp"

namespace warpscope::analysis {

/// Sets of call names.
enum class LaunchCalls : std::uint8_t {
  all,
  hta_statistics,         ///< the five calls of HTA's launch statistics
  hta_kernel_statistics,  ///< those of the five that launch kernels
  hta_queues,             ///< the twelve calls that HTA counts for queue lengths
};

class LaunchedRuns {
 public:
  /// Uses only the scope's ranks, not its range. The caller decides which launches count. `shared`: as in GpuRows.
  LaunchedRuns(const trace::Profile& profile, const Scope& scope, const KernelClasses::Choice& choice,
               LaunchCalls calls, const CancelToken* cancel = nullptr, SharedResults* shared = nullptr);

  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return rows_.ranks(); }
  /// Returns a rank's GPU activity whose launch is known and counted, sorted by launch, then stream, then start. Never
  /// null. O(n log n).
  [[nodiscard]] std::shared_ptr<const GpuRows::Rows> of(std::uint32_t rank) const;
  /// Returns the start and end of the call that launched a row, rounded like the row's times. O(log lanes).
  [[nodiscard]] Interval call(std::uint32_t rank, const GpuRow& row) const;
  [[nodiscard]] NameId call_name(std::uint32_t rank, const GpuRow& row) const;

  /// As GpuRows::derived().
  template <class Make, class BytesOf>
  [[nodiscard]] auto derived(std::string_view what, std::uint32_t rank, Make make, BytesOf bytes_of) const {
    const std::string whole = std::to_string(static_cast<unsigned>(calls_)).append(" ").append(what);
    return rows_.derived(whole, rank, std::move(make), std::move(bytes_of));
  }

 private:
  [[nodiscard]] GpuRows::Rows rows_of_rank(std::uint32_t rank) const;

  const trace::Profile& profile_;
  LaunchCalls calls_;
  GpuRows rows_;
  std::optional<std::vector<char>> counts_;  // by name; nullopt: all count
};

/// Calls visit(std::span<const GpuRow>) for the rows of each launch or, if `by_stream`, of each launch on each stream.
/// `rows` must be sorted as returned by LaunchedRuns::of().
template <class Visit>
void for_each_launch(std::span<const GpuRow> rows, bool by_stream, Visit visit) {
  for_each_stretch(
      rows, [=](const GpuRow& row) { return std::pair(row.launch, by_stream ? row.track : 0); }, visit);
}

/// Explains missing launches. Returns "No GPU activity in this selection." or a sentence saying that the traces do not
/// link GPU activity to launches.
[[nodiscard]] std::string without_launches_note(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks);

}  // namespace warpscope::analysis
