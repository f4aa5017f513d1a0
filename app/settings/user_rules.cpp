#include "app/settings/user_rules.hpp"

#include <utility>

#include "core/base/files/regular_file.hpp"

namespace warpscope::settings {

namespace {

constexpr const char* kRulesFile = "rules.json";
constexpr const char* kParametersFile = "rule-settings.json";

/// Parses a file; errors contain its path.
template <class Value, class Parse>
Result<Value> parsed(const std::filesystem::path& file, Parse&& parse) {
  const auto text = read_small_file(file.string());
  if (!text) return text.error();
  Result<Value> value = parse(*text);
  if (!value) return Error{file.string(), value.error().message(), ""};
  return value;
}

template <class Value>
void take(Result<Value> read, Value& into, const std::filesystem::path& file, std::vector<Error>& problems) {
  if (read)
    into = std::move(*read);
  else if (!is_missing(file.string()))
    problems.push_back(read.error());
}

}  // namespace

Result<std::vector<rules::CustomRule>> read_rules_file(const std::filesystem::path& file) {
  return parsed<std::vector<rules::CustomRule>>(file, rules::parse_custom_rules);
}

Result<rules::Settings> read_rule_settings(const std::filesystem::path& file) {
  return parsed<rules::Settings>(file, rules::parse_settings_file);
}

UserRules read_user_rules(const std::filesystem::path& folder) {
  UserRules user;
  if (folder.empty()) return user;
  const std::filesystem::path rules = folder / kRulesFile;
  take(read_rules_file(rules), user.custom, rules, user.problems);
  const std::filesystem::path parameters = folder / kParametersFile;
  take(read_rule_settings(parameters), user.settings, parameters, user.problems);
  return user;
}

}  // namespace warpscope::settings
