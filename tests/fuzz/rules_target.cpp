// Files with custom rules and with rule parameters: accepted rules are complete, and accepted parameters survive being
// saved and read.
#include "core/base/json_writer.hpp"
#include "core/rules/custom_rule.hpp"
#include "core/rules/settings.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {

void run_rules(std::string_view input) {
  const auto custom = rules::parse_custom_rules(input);
  if (!custom) require(!custom.error().message().empty(), "an error says what is wrong");
  if (custom)
    for (const rules::CustomRule& rule : *custom)
      require(!rule.name.empty() && !rule.metric.empty() && rule.window >= 0 && rule.patience >= 0,
              "an accepted rule can be evaluated");
  const auto settings = rules::parse_settings_file(input);
  if (!settings) return;
  require(!rules::check_settings(*settings), "accepted parameters are valid");
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  for (const auto& [name, value] : *settings) json.member(name, value);
  json.end_object();
  const auto again = rules::parse_settings_file(text);
  require(again.ok() && *again == *settings, "saved parameters are read back");
}

}  // namespace warpscope::fuzz
