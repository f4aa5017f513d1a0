#include "core/analysis/request/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "core/analysis/request/kernel_class.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis {

namespace {

std::string joined(std::span<const std::string_view> words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string limit_text(const Parameter& parameter, double limit) {
  if (parameter.kind == ParameterKind::duration) return format_duration(static_cast<Ns>(limit));
  return fmt::format("{}", limit);
}

std::string wanted(const Parameter& parameter) {
  std::string text;
  switch (parameter.kind) {
    case ParameterKind::integer:
      text = "a whole number";
      break;
    case ParameterKind::real:
      text = "a number";
      break;
    case ParameterKind::duration:
      text = "a duration such as 500ms";
      break;
    case ParameterKind::text:
      return "text";
    case ParameterKind::choice:
      return "one of " + joined(parameter.choices);
    case ParameterKind::flag:
      return "true or false";
  }
  if (std::isfinite(parameter.least))
    text += (parameter.above_least ? " above " : " from ") + limit_text(parameter, parameter.least);
  if (std::isfinite(parameter.most)) text += " to " + limit_text(parameter, parameter.most);
  if (parameter.preset == Parameter::kAutomatic) text += ", or auto";
  return text;
}

bool within(const Parameter& parameter, double value) {
  if (parameter.above_least && value <= parameter.least) return false;
  return parameter.least <= value && value <= parameter.most;
}

using Value = std::variant<std::monostate, std::int64_t, double, bool, std::string>;

std::optional<Value> parse_value(const Parameter& parameter, std::string_view text) {
  const bool number = parameter.kind == ParameterKind::integer || parameter.kind == ParameterKind::real ||
                      parameter.kind == ParameterKind::duration;
  if (number && parameter.preset == Parameter::kAutomatic && text == Parameter::kAutomatic) return Value();
  switch (parameter.kind) {
    case ParameterKind::integer:
      if (const auto value = parse_number<std::int64_t>(text); value && within(parameter, static_cast<double>(*value)))
        return Value(*value);
      return std::nullopt;
    case ParameterKind::real:
      if (const auto value = parse_number<double>(text); value && std::isfinite(*value) && within(parameter, *value))
        return Value(*value);
      return std::nullopt;
    case ParameterKind::duration:
      if (const auto value = parse_time(text); value && within(parameter, static_cast<double>(*value)))
        return Value(*value);
      return std::nullopt;
    case ParameterKind::text:
      return Value(std::string(text));
    case ParameterKind::choice:
      if (std::find(parameter.choices.begin(), parameter.choices.end(), text) == parameter.choices.end())
        return std::nullopt;
      return Value(std::string(text));
    case ParameterKind::flag:
      if (text == "true" || text == "yes" || text == "1") return Value(true);
      if (text == "false" || text == "no" || text == "0") return Value(false);
      return std::nullopt;
  }
  return std::nullopt;
}

/// A number without a unit is in ns, or in µs with hta, as in notebooks written for HTA.
bool is_bare(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789.") == text.npos; }

}  // namespace

Result<ParameterValues> ParameterValues::parse(std::span<const Parameter> parameters,
                                               std::span<const Setting> settings) {
  ParameterValues values;
  for (const Parameter& parameter : parameters) {
    const auto preset = parse_value(parameter, parameter.preset);
    assert(preset);
    values.values_.emplace_back(parameter.name, preset.value_or(Value()));
  }
  const bool asks_hta = std::ranges::any_of(settings, [](const Setting& each) {
    return each.first == kHtaParameter.name && each.second != "false" && each.second != "no" && each.second != "0";
  });
  for (const auto& [name, text] : settings) {
    const auto known = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& parameter) { return parameter.name == name; });
    if (known == parameters.end()) {
      std::vector<std::string_view> names;
      for (const Parameter& parameter : parameters) names.push_back(parameter.name);
      return Error{name, "is not a parameter of this analysis",
                   names.empty() ? "it has none" : "its parameters are " + joined(names)};
    }
    const bool as_hta = known->kind == ParameterKind::duration && asks_hta && is_bare(text);
    const auto value = parse_value(*known, as_hta ? text + "us" : text);
    if (!value) return Error{name, fmt::format("cannot be \"{}\"", text), "use " + wanted(*known)};
    values.values_[static_cast<std::size_t>(known - parameters.begin())].second = *value;
  }
  return values;
}

const ParameterValues::Value& ParameterValues::value(std::string_view name) const {
  const auto entry = std::find_if(values_.begin(), values_.end(), [&](const auto& each) { return each.first == name; });
  assert(entry != values_.end());
  return entry->second;
}

bool ParameterValues::automatic(std::string_view name) const {
  return std::holds_alternative<std::monostate>(value(name));
}
std::int64_t ParameterValues::integer(std::string_view name) const { return std::get<std::int64_t>(value(name)); }
double ParameterValues::real(std::string_view name) const { return std::get<double>(value(name)); }
Ns ParameterValues::duration(std::string_view name) const { return std::get<std::int64_t>(value(name)); }
const std::string& ParameterValues::text(std::string_view name) const { return std::get<std::string>(value(name)); }
bool ParameterValues::flag(std::string_view name) const { return std::get<bool>(value(name)); }

std::string ParameterValues::key() const {
  std::string key;
  for (const auto& [name, value] : values_) {
    key.append(name).append(1, '=').append(std::to_string(value.index())).append(1, ' ');
    if (const auto* integer = std::get_if<std::int64_t>(&value)) key.append(std::to_string(*integer));
    if (const auto* real = std::get_if<double>(&value)) key.append(fmt::format("{}", *real));
    if (const auto* flag = std::get_if<bool>(&value)) key.append(*flag ? "on" : "off");
    if (const auto* text = std::get_if<std::string>(&value))
      key.append(std::to_string(text->size())).append(1, ' ').append(*text);
    key.append(1, ';');
  }
  return key;
}

}  // namespace warpscope::analysis
