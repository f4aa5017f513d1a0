#pragma once
// Total time and count of GPU kernels by name, over all ranks in the scope. Covers only the "kernel" category; the
// memory_operations analysis covers memcpys and memsets.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/scope.hpp"
#include "core/base/progress.hpp"

namespace warpscope::analysis {

struct KernelTotal {
  NameId name = 0;
  Ns total = 0;  ///< ns within the scope's range; overlapping time counted twice
  std::uint64_t count = 0;
};

struct KernelTotals {
  std::vector<KernelTotal> kernels;  ///< by time, longest first; then by name
  Ns total = 0;
  std::uint64_t count = 0;
  std::uint64_t impossible = 0;  ///< kernels with impossible times, which the values above exclude
};

/// O(slices of streams + names).
[[nodiscard]] KernelTotals kernel_totals(const trace::Profile& profile, const Scope& scope,
                                         const CancelToken* cancel = nullptr);

/// The top k kernels in a list, and the sum of all others.
struct TopKernels {
  std::span<const KernelTotal> top;  ///< points into the list
  KernelTotal sum;                   ///< sum of `top`; without a name
  KernelTotal others;                ///< sum of all others
  std::size_t other_names = 0;       ///< number of other names; the row "others" exists if it is positive
};

/// `k` = 0 returns all.
[[nodiscard]] TopKernels top_kernels(const std::vector<KernelTotal>& kernels, std::int64_t k);

/// Returns the note for a kernel table: explains the row "others", what is excluded, or why the table is empty.
[[nodiscard]] std::string top_kernels_note(const KernelTotals& totals, const TopKernels& top);

/// Name of the row that sums all kernels outside the top k.
inline constexpr std::string_view kOthers = "others";

}  // namespace warpscope::analysis
