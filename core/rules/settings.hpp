#pragma once
// Settings of rules, such as "StepOutlier_stddev" = "3" (names are case-insensitive); presets; and files in the format
// of SageMaker's rule configurations.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/base/result.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

using Settings = std::vector<analysis::Setting>;

/// Checks settings. Errors: an unknown name, with the accepted ones; an invalid value.
[[nodiscard]] Failure check_settings(std::span<const analysis::Setting> settings);

/// Returns the settings of one rule, under the names of its parameters.
[[nodiscard]] Settings settings_of(const Rule& rule, std::span<const analysis::Setting> all);

/// Returns a preset: "production" contains the defaults of AWS's service, which are also ours; "documented" contains
/// those in its documentation. Nullptr for any other name.
[[nodiscard]] const Settings* find_preset(std::string_view name);

/// Parses a settings file (JSON): {"StepOutlier_stddev": 3}, or one or several of SageMaker's rule configurations, with
/// or without the enclosing object:
///   {"RuleParameters": {"rule_to_invoke": "CPUBottleneck", "threshold": "50"}}
/// or the output of describe-training-job, of which only ProfilerRuleConfigurations are used. Keys that do not concern
/// this program, such as the image that runs a rule, are ignored. Errors: invalid JSON; those of check_settings().
[[nodiscard]] Result<Settings> parse_settings_file(std::string_view json);

}  // namespace warpscope::rules
