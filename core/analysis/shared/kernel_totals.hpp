#pragma once
// The GPU kernels of a profile by name: how long each ran and how often. Category kernel only, over all ranks of the
// scope; copies and sets are memory_operations'.
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
  Ns total = 0;  ///< ns within the scope's range, summed over runs, also where they overlap
  std::uint64_t count = 0;
};

struct KernelTotals {
  std::vector<KernelTotal> kernels;  ///< most time first; of equal time by name
  Ns total = 0;
  std::uint64_t count = 0;
  std::uint64_t impossible = 0;  ///< kernels whose times cannot be true; not among the others
};

/// O(slices of streams + names).
[[nodiscard]] KernelTotals kernel_totals(const trace::Profile& profile, const Scope& scope,
                                         const CancelToken* cancel = nullptr);

/// The first k of a list of kernels, and all others as one.
struct TopKernels {
  std::span<const KernelTotal> top;  ///< views the list
  KernelTotal sum;                   ///< of the top; without a name
  KernelTotal others;                ///< sum of the others
  std::size_t other_names = 0;       ///< how many they are; the row "others" is there if they are any
};

/// `k` = 0: all of them.
[[nodiscard]] TopKernels top_kernels(const std::vector<KernelTotal>& kernels, std::int64_t k);

/// What a table of them has to say: what the others are, what was left out, or that there is nothing.
[[nodiscard]] std::string top_kernels_note(const KernelTotals& totals, const TopKernels& top);

/// The row that stands for all kernels beyond the first k.
inline constexpr std::string_view kOthers = "others";
/// The column that tells of that row how many names it stands for; missing in all others.
inline constexpr std::string_view kOtherNames = "names";

/// The filter expression that finds the kernels of that name.
[[nodiscard]] std::string kernel_filter(std::string_view name);

}  // namespace warpscope::analysis
