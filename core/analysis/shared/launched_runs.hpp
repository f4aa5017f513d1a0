#pragma once
// What ran on devices because of a call on the host, with that call: the input of all that tells of launches. Which
// calls count is decided here: every one that caused something (of CUDA's runtime and driver, of HIP, of whole graphs);
// or, for comparison, those whose names HTA knows.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/shared/gpu_rows.hpp"
#include "core/base/stretches.hpp"

namespace warpscope::analysis {

/// Calls by name.
enum class LaunchCalls : std::uint8_t {
  all,
  hta_statistics,         ///< of HTA's launch statistics: five
  hta_kernel_statistics,  ///< those of them that launch kernels
  hta_queues,             ///< of its queue lengths: twelve
};

class LaunchedRuns {
 public:
  /// Of a scope only the ranks: a launch counts whole or not at all, which is for the caller to say.
  /// `shared`: as GpuRows.
  LaunchedRuns(const trace::Profile& profile, const Scope& scope, const KernelClasses::Choice& choice,
               LaunchCalls calls, const CancelToken* cancel = nullptr, SharedResults* shared = nullptr);

  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return rows_.ranks(); }
  /// Kernels, copies and sets of a rank whose launch is known and counts, by launch, then by stream, then by begin.
  /// Never null. O(n log n).
  [[nodiscard]] std::shared_ptr<const GpuRows::Rows> of(std::uint32_t rank) const;
  /// The call that launched one of them, rounded as it is. O(log lanes).
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
  std::optional<std::vector<char>> counts_;  // by name; nothing: all do
};

/// Calls visit(std::span<const GpuRow>) for each stretch of rows of one launch; where `by_stream`, of one launch on one
/// stream. `rows`: as LaunchedRuns::of().
template <class Visit>
void for_each_launch(std::span<const GpuRow> rows, bool by_stream, Visit visit) {
  for_each_stretch(
      rows, [=](const GpuRow& row) { return std::pair(row.launch, by_stream ? row.track : 0); }, visit);
}

/// Why there is nothing to tell of launches: "No GPU ran anything here.", or that nothing says what launched what ran.
[[nodiscard]] std::string without_launches_note(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks);

}  // namespace warpscope::analysis
