#include "app/settings/user_rules.hpp"

#include <system_error>
#include <utility>

#include "core/base/files/new_file.hpp"
#include "core/base/files/regular_file.hpp"
#include "core/base/json_writer.hpp"

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

Failure write_rule_settings(const std::filesystem::path& folder, const rules::Settings& settings) {
  if (folder.empty())
    return Error{"rule parameters", "cannot be saved: no settings folder", "set HOME or XDG_CONFIG_HOME"};
  const std::filesystem::path file = folder / kParametersFile;
  std::error_code error;
  if (settings.empty()) {
    std::filesystem::remove(file, error);
    return error ? Failure(Error{file.string(), "cannot be removed: " + error.message(), ""}) : Failure();
  }
  std::filesystem::create_directories(folder, error);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  for (const auto& [name, value] : settings) json.member(name, value);
  json.end_object();
  return replace_file(file, text, Sync::yes);
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
