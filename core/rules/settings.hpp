#pragma once
// Rule settings, such as "StepOutlier_stddev" = "3" (case-insensitive names), presets, and files in SageMaker's rule
// configuration format.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/base/result.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

using Settings = std::vector<analysis::Setting>;

/// Checks settings. Errors: an unknown name (lists the accepted ones); an invalid value.
[[nodiscard]] Failure check_settings(std::span<const analysis::Setting> settings);

/// Returns one rule's settings, keyed by its parameter names.
[[nodiscard]] Settings settings_of(const Rule& rule, std::span<const analysis::Setting> all);

/// Returns a preset: "production" contains the defaults of AWS's service, which are also Warpscope's; "documented"
/// contains those in AWS's documentation. Nullptr for any other name.
[[nodiscard]] const Settings* find_preset(std::string_view name);

/// Parses a settings file (JSON): {"StepOutlier_stddev": 3}, or one or more SageMaker rule configurations, with or
/// without the enclosing object:
///   {"RuleParameters": {"rule_to_invoke": "CPUBottleneck", "threshold": "50"}}
/// or the output of describe-training-job, of which only ProfilerRuleConfigurations are used. Ignores keys that
/// Warpscope does not need, such as the image that runs a rule. Errors: invalid JSON; those of check_settings().
[[nodiscard]] Result<Settings> parse_settings_file(std::string_view json);

}  // namespace warpscope::rules
