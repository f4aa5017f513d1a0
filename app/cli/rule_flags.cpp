#include "app/cli/rule_flags.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "app/cli/load_flags.hpp"
#include "core/rules/settings.hpp"

namespace warpscope::cli {

namespace {

constexpr std::array<std::string_view, 2> kPresets{"production", "documented"};

}  // namespace

void add_rule_flags(Arguments& arguments, RuleFlags& flags) {
  arguments.list("--set", flags.settings, "Set a rule parameter: --set StepOutlier_stddev=4; repeatable");
  arguments.choice("--preset", flags.preset, kPresets,
                   "Defaults for SageMaker Debugger's rules: from the AWS service or from its documentation");
  arguments.flag(
      "--aws", flags.aws,
      "Evaluate SageMaker Debugger's rules the way AWS does, including its bugs, to compare with AWS's report");
  arguments.text("--settings-file", flags.settings_file,
                 "JSON file with parameters, such as {\"StepOutlier_stddev\": 3}, or SageMaker's rule configurations");
  arguments.text("--rules-file", flags.rules_file,
                 "JSON file with custom rules (limits for metrics, counters and analysis columns); "
                 "rules.json next to the settings file is always read");
}

Result<settings::UserRules> chosen_rules(const RuleFlags& flags) {
  for (const auto& [option, file] :
       {std::pair("--settings-file", &flags.settings_file), {"--rules-file", &flags.rules_file}})
    if (*file && (*file)->empty()) return Error{option, "needs a file name", ""};
  settings::UserRules user = user_rules();
  rules::Settings settings = *rules::find_preset(flags.preset);
  settings.insert(settings.end(), user.settings.begin(), user.settings.end());
  if (flags.settings_file) {
    const auto read = warpscope::settings::read_rule_settings(*flags.settings_file);
    if (!read) return read.error();
    settings.insert(settings.end(), read->begin(), read->end());
  }
  for (const std::string& text : flags.settings) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{"--set " + text, "is not in the form name=value", "for example --set StepOutlier_stddev=3"};
    settings.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  if (auto failure = rules::check_settings(settings)) return *failure;
  user.settings = std::move(settings);
  if (!flags.rules_file) return user;
  auto custom = warpscope::settings::read_rules_file(*flags.rules_file);
  if (!custom) return custom.error();
  std::ranges::move(*custom, std::back_inserter(user.custom));
  return user;
}

}  // namespace warpscope::cli
