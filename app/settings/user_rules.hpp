#pragma once
// The user's custom rules and rule parameters, used by the command line and the window. They are stored as rules.json
// and rule-settings.json in the settings folder.
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/rules/custom_rule.hpp"
#include "core/rules/settings.hpp"

namespace warpscope::settings {

struct UserRules {
  rules::Settings settings;               ///< rule-settings.json, see core/rules/settings.hpp
  std::vector<rules::CustomRule> custom;  ///< rules.json, see core/rules/custom_rule.hpp
  std::vector<Error> problems;            ///< unusable files, with reasons
};

/// Reads the files in `folder`; missing files are treated as empty.
[[nodiscard]] UserRules read_user_rules(const std::filesystem::path& folder);

/// Reads a rules file. Fails if the file is unreadable or parse_custom_rules() fails.
[[nodiscard]] Result<std::vector<rules::CustomRule>> read_rules_file(const std::filesystem::path& file);
/// Reads a parameter file. Fails if the file is unreadable or parse_settings_file() fails.
[[nodiscard]] Result<rules::Settings> read_rule_settings(const std::filesystem::path& file);

}  // namespace warpscope::settings
