#include "app/ui/analysis/parameter_fields.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {

using analysis::Analysis;
using analysis::Parameter;
using analysis::ParameterKind;
using analysis::Setting;

namespace {

constexpr float kField = 96;
constexpr float kWideField = 144;  // for a field with an example
constexpr float kGap = 16;

/// Example input for a field that is empty by default.
struct Example {
  std::string_view parameter;
  std::string_view text;
};
constexpr std::array kExamples{Example{"annotation", "forward"}, Example{"data_load_events", "load_*"},
                               Example{"kernel_class", "memory=my_copy"}, Example{"operator_name", "aten::linear"},
                               Example{"peak", "bf16=990"}};

/// Returns the hint shown in an empty field: the preset or an example.
std::string hint_of(const Parameter& parameter) {
  if (!parameter.preset.empty()) return std::string(parameter.preset);
  const auto found = std::ranges::find(kExamples, parameter.name, &Example::parameter);
  return found == kExamples.end() ? std::string() : "e.g. " + std::string(found->text);
}

float field_width(const Parameter& parameter) { return hint_of(parameter).starts_with("e.g.") ? kWideField : kField; }

/// "hta_rounding" → "HTA rounding".
std::string words_of(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  if (words.starts_with("hta")) words.replace(0, 3, "HTA");
  return words;
}

float width_of(const AppContext& app, const Parameter& parameter) {
  const float label = small_width(app, words_of(parameter.name));
  switch (parameter.kind) {
    case ParameterKind::flag:
      return label;
    case ParameterKind::text:
      if (parameter.choices.empty()) return label + app.px(field_width(parameter));
      [[fallthrough]];
    case ParameterKind::choice: {
      float width = label;
      for (const std::string_view word : parameter.choices) width += small_width(app, word);
      return width;
    }
    default:
      return label + app.px(field_width(parameter));
  }
}

}  // namespace

std::string ParameterFields::value(const Analysis& analysis, const Parameter& parameter) const {
  if (const auto own = values_.find(analysis.name); own != values_.end())
    if (const auto found = own->second.find(parameter.name); found != own->second.end()) return found->second;
  return std::string(parameter.preset);
}

std::vector<Setting> ParameterFields::settings(const Analysis& analysis) const {
  std::vector<Setting> settings;
  const auto own = values_.find(analysis.name);
  if (own == values_.end()) return settings;
  for (const Parameter& parameter : analysis.parameters)
    if (const auto found = own->second.find(parameter.name); found != own->second.end())
      settings.emplace_back(parameter.name, found->second);
  return settings;
}

Failure ParameterFields::set(const Analysis& analysis, std::string_view parameter, std::string_view value) {
  const auto known = std::ranges::find(analysis.parameters, parameter, &Parameter::name);
  const std::vector<Setting> one{{std::string(parameter), std::string(value)}};
  const auto parsed = analysis::ParameterValues::parse(analysis.parameters, one);
  problem_ = parsed ? std::string() : parsed.error().message();
  problem_of_ = analysis.name;
  if (!parsed) return parsed.error();
  Values& own = values_[std::string(analysis.name)];
  if (value == known->preset)
    own.erase(std::string(parameter));
  else
    own.insert_or_assign(std::string(parameter), std::string(value));
  return {};
}

bool ParameterFields::turn_first(const Analysis& analysis, std::span<const std::string_view> hidden) {
  for (const Parameter& parameter : analysis.parameters) {
    if (parameter.choices.empty() || std::ranges::find(hidden, parameter.name) != hidden.end()) continue;
    const auto now = std::ranges::find(parameter.choices, std::string_view(value(analysis, parameter)));
    const bool last = now == parameter.choices.end() || now + 1 == parameter.choices.end();
    return !set(analysis, parameter.name, last ? parameter.choices.front() : *(now + 1));
  }
  return false;
}

void ParameterFields::reset(const Analysis& analysis) {
  values_.erase(std::string(analysis.name));
  being_written_.clear();
  problem_.clear();
}

bool ParameterFields::field(const AppContext& app, const Analysis& analysis, const Parameter& parameter) {
  const std::string now = value(analysis, parameter);
  const std::string id = "##" + std::string(parameter.name);
  if (parameter.kind == ParameterKind::flag) {
    if (!small_switch(app, id.c_str(), words_of(parameter.name), now == "true", parameter.about)) return false;
    return !set(analysis, parameter.name, now == "true" ? "false" : "true");
  }
  small_label(app, words_of(parameter.name));
  if (ImGui::IsItemHovered()) tooltip(app, parameter.about);
  ImGui::SameLine(0, app.px(6));
  if (parameter.kind == ParameterKind::choice || !parameter.choices.empty()) {
    const auto at = std::ranges::find(parameter.choices, std::string_view(now));
    const auto clicked =
        small_choice(app, id.c_str(), parameter.choices, static_cast<std::size_t>(at - parameter.choices.begin()));
    return clicked && !set(analysis, parameter.name, parameter.choices[*clicked]);
  }
  const std::string key = std::string(analysis.name) + "/" + std::string(parameter.name);
  const auto [written, fresh] = being_written_.try_emplace(key, now);
  const auto entered = small_text(app, id.c_str(), written->second, hint_of(parameter), app.px(field_width(parameter)));
  if (!ImGui::IsItemActive() && !entered && written->second != now && problem_.empty()) written->second = now;
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) tooltip(app, parameter.about);
  if (!entered || *entered == now) return false;
  return !set(analysis, parameter.name, entered->empty() ? parameter.preset : std::string_view(*entered));
}

bool ParameterFields::draw(const AppContext& app, const Analysis& analysis, float width,
                           std::span<const std::string_view> hidden) {
  bool changed = false;
  float used = 0;
  ImGui::PushID(analysis.name.data(), analysis.name.data() + analysis.name.size());
  for (const Parameter& parameter : analysis.parameters) {
    if (std::ranges::find(hidden, parameter.name) != hidden.end()) continue;
    const float own = width_of(app, parameter) + app.px(kGap);
    if (used > 0 && used + own <= width)
      ImGui::SameLine(0, app.px(kGap));
    else
      used = 0;
    used += own;
    changed = field(app, analysis, parameter) || changed;
  }
  if (!settings(analysis).empty()) {
    if (used + small_width(app, "Reset") <= width) ImGui::SameLine(0, app.px(kGap));
    if (small_button(app, "##reset", "Reset", true, "Reset all parameters")) {
      reset(analysis);
      changed = true;
    }
  }
  if (!problem_.empty() && problem_of_ == analysis.name) caption(app, sentence(problem_), width, app.theme.warning);
  ImGui::PopID();
  return changed;
}

}  // namespace warpscope::ui
