#include "app/ui/findings/rule_parameters.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/ascii.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::ui {

namespace {

constexpr float kFieldWidth = 96;
constexpr float kNameWidth = 208;

std::string setting_name(const rules::Rule& rule, std::string_view parameter) {
  return fmt::format("{}_{}", rule.name, parameter);
}

}  // namespace

void RuleParameters::show(const rules::Rule& rule, const rules::Settings& of_user, const rules::Settings& preset) {
  rule_ = &rule;
  of_user_ = of_user;
  preset_ = preset;
  texts_.clear();
  for (const analysis::Parameter& parameter : rule.parameters) texts_[std::string(parameter.name)] = applied(parameter);
}

std::string RuleParameters::default_of(const analysis::Parameter& parameter) const {
  std::string value(parameter.preset);
  for (const auto& [name, own] : rules::settings_of(*rule_, preset_))
    if (name == parameter.name) value = own;
  return value;
}

std::string RuleParameters::applied(const analysis::Parameter& parameter) const {
  std::string value = default_of(parameter);
  for (const auto& [name, own] : rules::settings_of(*rule_, of_user_))
    if (name == parameter.name) value = own;
  return value;
}

bool RuleParameters::save(AppContext& app, std::string_view parameter, const std::string& value) {
  const std::string name = setting_name(*rule_, parameter);
  rules::Settings changed = of_user_;
  std::erase_if(changed, [&](const auto& setting) { return lower(setting.first) == lower(name); });
  const auto known = std::ranges::find(rule_->parameters, parameter, &analysis::Parameter::name);
  if (value != default_of(*known)) changed.emplace_back(name, value);
  Failure failure = rules::check_settings(changed);
  if (!failure) failure = settings::write_rule_settings(app.user_folder, changed);
  if (failure) {
    app.messages.error(*failure);
    show(*rule_, of_user_, preset_);
    return false;
  }
  of_user_ = std::move(changed);
  return true;
}

bool RuleParameters::draw(AppContext& app, float width) {
  if (rule_ == nullptr) return false;
  ImGui::PushID(rule_->name.data());
  ImGui::Dummy({0, app.px(8)});
  heading(app, rule_->title);
  text_wrapped(rules::description(*rule_), app.theme.muted, ImGui::GetCursorPosX() + width);
  if (rule_->parameters.empty()) text_muted("This rule has no parameters.");
  bool saved = false;
  const float left = ImGui::GetCursorPosX();
  for (const analysis::Parameter& parameter : rule_->parameters) {
    ImGui::PushID(parameter.name.data());
    const std::string name(parameter.name);
    small_label(app, name);
    ImGui::SameLine(left + app.px(kNameWidth));
    if (std::exchange(focus_, false)) focus_next_item();
    if (const auto entered = small_text(app, "##value", texts_[name], "", app.px(kFieldWidth));
        entered && *entered != applied(parameter))
      saved = save(app, parameter.name, *entered) || saved;
    ImGui::SameLine();
    const std::string usual = default_of(parameter);
    const bool own = applied(parameter) != usual;
    small_label(app, own ? fmt::format("{}; default: {}", parameter.about, usual.empty() ? "none" : usual)
                         : std::string(parameter.about));
    if (own) {
      ImGui::SameLine();
      if (small_button(app, "##reset", "Reset")) {
        texts_[name] = usual;
        saved = save(app, parameter.name, texts_[name]) || saved;
      }
    }
    ImGui::PopID();
  }
  ImGui::Dummy({0, app.px(16)});
  ImGui::PopID();
  return saved;
}

}  // namespace warpscope::ui
