#pragma once
// Parameters of the analyses that compare two profiles, and the comparison itself.
#include <array>
#include <string_view>

#include "core/analysis/diff/profile_diff.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

inline constexpr std::array<std::string_view, 3> kDiffDevices{"ALL", "CPU", "GPU"};
inline constexpr Parameter kControlRankParameter =
    text_parameter("control_rank",
                   "ranks of the first profile: all, first, or numbers such as 0,3-5; default: the selected ranks, or "
                   "the first one with hta");
inline constexpr Parameter kTestRankParameter =
    text_parameter("test_rank", "ranks of the second profile; default: all, or the first one with hta");
inline constexpr Parameter kControlIterationParameter =
    text_parameter("control_iteration",
                   "steps of the first profile: all (including activity outside steps), first, or numbers such as "
                   "10,12-14; default: all, or the first one with hta");
inline constexpr Parameter kTestIterationParameter =
    text_parameter("test_iteration", "steps of the second profile, in the same form as control_iteration");
inline constexpr Parameter kDeviceTypeParameter =
    choice_parameter("device_type", "activity to count: host calls, GPU activity, or both", kDiffDevices);

/// Roles of calls on host threads; GPU activity has kRunRoles.
inline constexpr RoleSet kHostRoles = role_set(trace::Role::launch, trace::Role::op, trace::Role::annotation,
                                               trace::Role::python, trace::Role::overhead, trace::Role::other);

/// Compares both profiles name by name, as selected by the parameters above. `input.other` must not be null. Fails on
/// an unknown rank or step.
[[nodiscard]] Result<std::vector<NameDiff>> chosen_diff(const AnalysisInput& input, bool short_names);

/// Returns the note for an empty table.
[[nodiscard]] std::string empty_diff_note(const AnalysisInput& input);

}  // namespace warpscope::analysis
