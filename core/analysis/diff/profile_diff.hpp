#pragma once
// Two profiles side by side, name by name: how often each operator and kernel occurs in either, and how long it takes.
// Profiles have dictionaries of their own, so names are matched as texts, once each; what is counted is counted in
// arrays by name.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/base/progress.hpp"
#include "core/base/result.hpp"

namespace warpscope::analysis {

/// The part of a profile that is compared.
struct DiffSide {
  const trace::Profile& profile;
  std::vector<std::uint32_t> ranks{};  ///< indices; empty: all
  /// Names of the steps that count: what the host began in one, and the runs launched then. Empty: everything.
  std::vector<NameId> steps{};
};

struct DiffChoice {
  RoleSet host = 0;          ///< roles of what counts on host threads
  RoleSet devices = 0;       ///< roles of what counts on devices
  bool shadows = false;      ///< with any of the host: annotations' shadows on devices too, by their time
  bool rounding = false;     ///< times are rounded as HTA does
  bool short_names = false;  ///< kernels with the same label are one
  bool hta_names = false;    ///< with short_names: names that HTA shortens to the same are one
};

struct NameTotal {
  std::uint64_t count = 0;
  Ns time = 0;  ///< ns, summed; saturates

  /// ns; 0 if there are none.
  [[nodiscard]] double mean() const { return count == 0 ? 0 : static_cast<double>(time) / static_cast<double>(count); }
};

struct NameDiff {
  std::string name;
  NameTotal control;
  NameTotal test;
};

/// All names that occur on either side, the largest difference of time first, of equal ones by name. O(slices + names).
[[nodiscard]] std::vector<NameDiff> profile_diff(const DiffSide& control, const DiffSide& test,
                                                 const DiffChoice& choice, const CancelToken* cancel = nullptr);

/// The steps that `text` means: "all" (none are named), "first", or their numbers: "10,12-14". Errors: no such step.
[[nodiscard]] Result<std::vector<NameId>> parse_steps(const trace::Profile& profile, std::string_view text);

}  // namespace warpscope::analysis
