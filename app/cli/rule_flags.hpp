#pragma once
// Options that select rules and their parameters, shared by all commands that evaluate rules.
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/settings/user_rules.hpp"
#include "core/base/result.hpp"

namespace warpscope::cli {

struct RuleFlags {
  std::vector<std::string> settings;  ///< "StepOutlier_stddev=3"
  std::string preset = "production";
  std::optional<std::string> settings_file;
  std::optional<std::string> rules_file;
  bool aws = false;  ///< evaluate SageMaker Debugger's rules the way AWS does
};

void add_rule_flags(Arguments& arguments, RuleFlags& flags);

/// Returns the user's rules and those of --rules-file, with parameters from the preset, the user's settings, the given
/// file and --set; later sources take precedence. Errors: an unreadable file, an unknown name, an invalid value.
[[nodiscard]] Result<settings::UserRules> chosen_rules(const RuleFlags& flags);

}  // namespace warpscope::cli
