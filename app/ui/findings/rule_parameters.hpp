#pragma once
// Fields for a rule's parameters, below the list of all rules. Saves changes to rule-settings.json in the settings
// folder, which the command line also reads.
#include <map>
#include <string>

#include "app/settings/user_rules.hpp"
#include "app/ui/app_context.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::ui {

class RuleParameters {
 public:
  /// Shows the effective values. The user's settings take precedence over `preset`, which takes precedence over the
  /// rule's defaults.
  void show(const rules::Rule& rule, const rules::Settings& of_user, const rules::Settings& preset);
  [[nodiscard]] const rules::Rule* rule() const { return rule_; }
  /// Moves the keyboard focus to the first field.
  void focus() { focus_ = true; }
  void close() { rule_ = nullptr; }

  /// Draws the rule's fields. Returns true if a change was saved and the rules must be evaluated again.
  bool draw(AppContext& app, float width);

 private:
  /// Returns a parameter's effective value.
  [[nodiscard]] std::string applied(const analysis::Parameter& parameter) const;
  [[nodiscard]] std::string default_of(const analysis::Parameter& parameter) const;
  bool save(AppContext& app, std::string_view parameter, const std::string& value);

  const rules::Rule* rule_ = nullptr;
  rules::Settings of_user_;
  rules::Settings preset_;
  bool focus_ = false;
  std::map<std::string, std::string, std::less<>> texts_;  // by parameter
};

}  // namespace warpscope::ui
