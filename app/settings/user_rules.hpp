#pragma once
// The user's custom rules and rule parameters, for the command line and the window: rules.json and rule-settings.json
// in the settings folder.
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

/// Replaces rule-settings.json in `folder`, which is created if necessary; removes it if there are no settings. Returns
/// the system error on failure, or an error if there is no folder.
[[nodiscard]] Failure write_rule_settings(const std::filesystem::path& folder, const rules::Settings& settings);

/// Reads a rules file. Errors: those of parse_custom_rules(), or an unreadable file.
[[nodiscard]] Result<std::vector<rules::CustomRule>> read_rules_file(const std::filesystem::path& file);
/// Reads a parameter file. Errors: those of parse_settings_file(), or an unreadable file.
[[nodiscard]] Result<rules::Settings> read_rule_settings(const std::filesystem::path& file);

}  // namespace warpscope::settings
