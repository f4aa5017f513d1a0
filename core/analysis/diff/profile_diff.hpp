#pragma once
// Compares two profiles name by name: count and time of each operator and kernel. Each profile has its own string
// table, so each name is matched once, as a string. Totals are arrays indexed by name.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/base/progress.hpp"
#include "core/base/result.hpp"

namespace warpscope::analysis {

/// The part of a profile to compare.
struct DiffSide {
  const trace::Profile& profile;
  std::vector<std::uint32_t> ranks{};  ///< indices; empty: all
  /// Names of the steps to count. Each step includes the host calls that start in it and the GPU activity launched in
  /// it. Empty: count everything.
  std::vector<NameId> steps{};
};

struct DiffChoice {
  RoleSet host = 0;     ///< roles counted on host threads
  RoleSet devices = 0;  ///< roles counted on devices
  bool shadows =
      false;  ///< also counts device shadows of annotations, assigned to steps by start time, if `host` is not 0
  bool rounding = false;     ///< rounds times as HTA does
  bool short_names = false;  ///< merges kernels with the same label
  bool hta_names = false;    ///< with short_names: merges names that HTA shortens to the same name
};

struct NameTotal {
  std::uint64_t count = 0;
  Ns time = 0;  ///< ns, summed; saturates

  /// ns; 0 if count is 0.
  [[nodiscard]] double mean() const { return count == 0 ? 0 : static_cast<double>(time) / static_cast<double>(count); }
};

struct NameDiff {
  std::string name;
  NameTotal control;
  NameTotal test;
};

/// Returns all names of both sides, sorted by time difference, largest first, then by name. O(slices + names).
[[nodiscard]] std::vector<NameDiff> profile_diff(const DiffSide& control, const DiffSide& test,
                                                 const DiffChoice& choice, const CancelToken* cancel = nullptr);

/// Parses "all" (returns an empty list), "first" or steps for parse_step_range(). Fails on an unknown step.
[[nodiscard]] Result<std::vector<NameId>> parse_steps(const trace::Profile& profile, std::string_view text);

}  // namespace warpscope::analysis
