#pragma once
// The GPU kernels of a profile by name: how long each ran and how often. Category kernel only, over all ranks of the
// scope; copies and sets are memory_operations'.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/scope.hpp"
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

/// The filter expression that finds the kernels of that name.
[[nodiscard]] std::string kernel_filter(std::string_view name);

/// The row that stands for all kernels beyond the first k.
inline constexpr std::string_view kOthers = "others";

}  // namespace warpscope::analysis
