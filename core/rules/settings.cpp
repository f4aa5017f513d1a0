#include "core/rules/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "core/base/ascii.hpp"
#include "core/base/json_facts.hpp"
#include "core/rules/registry.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules {

namespace {

// Keys of rule configurations that control how AWS runs a rule.
constexpr std::string_view kJobConfigurations = "ProfilerRuleConfigurations[";
constexpr std::array<std::string_view, 8> kIgnoredKeys{"rule_to_invoke", "ruleconfigurationname", "ruleevaluatorimage",
                                                       "instancetype",   "volumesizeingb",        "localpath",
                                                       "s3outputpath",   "opt_out_telemetry"};

/// Splits "StepOutlier_stddev" into a rule and the exact name of its parameter.
std::optional<std::pair<const Rule*, std::string_view>> parameter_of(std::string_view name) {
  const std::string wanted = lower(name);
  for (const Rule& rule : rules()) {
    const std::string prefix = lower(rule.name) + "_";
    if (!wanted.starts_with(prefix)) continue;
    for (const analysis::Parameter& parameter : rule.parameters)
      if (wanted.substr(prefix.size()) == lower(parameter.name)) return std::pair(&rule, parameter.name);
  }
  return std::nullopt;
}

/// Lists the parameters of the rule whose name prefixes an unknown setting; otherwise, all rules with parameters.
std::string accepted_names(std::string_view unknown) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
  for (const Rule& rule : rules()) {
    if (!lower(std::string(unknown)).starts_with(lower(std::string(rule.name)))) continue;
    for (const analysis::Parameter& parameter : rule.parameters) add(fmt::format("{}_{}", rule.name, parameter.name));
  }
  if (!names.empty()) return "accepted: " + names;
  for (const Rule& rule : rules())
    if (!rule.parameters.empty()) add(std::string(rule.name));
  return "use RULE_PARAMETER=VALUE; rules with parameters: " + names;
}

/// Splits the path "a.b.c" into "a.b" and "c".
std::pair<std::string, std::string> split_path(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return {"", path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

}  // namespace

Settings settings_of(const Rule& rule, std::span<const analysis::Setting> all) {
  Settings own;
  for (const auto& [name, value] : all)
    if (const auto parameter = parameter_of(name); parameter && parameter->first == &rule)
      own.emplace_back(parameter->second, value);
  return own;
}

Failure check_settings(std::span<const analysis::Setting> settings) {
  for (const auto& [name, value] : settings)
    if (!parameter_of(name)) return Error{name, "is not a rule parameter", accepted_names(name)};
  for (const Rule& rule : rules()) {
    const auto values = analysis::ParameterValues::parse(rule.parameters, settings_of(rule, settings));
    if (!values)
      return Error{fmt::format("{}_{}", rule.name, values.error().where), values.error().what, values.error().advice};
  }
  return {};
}

const Settings* find_preset(std::string_view name) {
  static const std::map<std::string, Settings, std::less<>> kPresets{{"production", {}},
                                                                     {"documented",
                                                                      {{"BatchSize_patience", "100"},
                                                                       {"CPUBottleneck_patience", "100"},
                                                                       {"GPUMemoryIncrease_increase", "10"},
                                                                       {"GPUMemoryIncrease_patience", "100"},
                                                                       {"GPUMemoryIncrease_window", "500"},
                                                                       {"IOBottleneck_gpu_threshold", "70"},
                                                                       {"StepOutlier_stddev", "5"},
                                                                       {"StepOutlier_n_outliers", "10"},
                                                                       {"StepOutlier_mode", "5"},
                                                                       {"LoadBalancing_threshold", "0.5"},
                                                                       {"LoadBalancing_patience", "10"}}}};
  const auto found = kPresets.find(name);
  return found == kPresets.end() ? nullptr : &found->second;
}

Result<Settings> parse_settings_file(std::string_view json) {
  const auto facts = json_facts(json);
  if (!facts) return facts.error();
  std::map<std::string, std::string> rule_of;  // by path of the enclosing object
  for (const JsonFact& fact : *facts)
    if (const auto [path, key] = split_path(fact.name); key == "rule_to_invoke") rule_of[path] = fact.value;
  // The output of describe-training-job contains many other values.
  const bool described =
      std::ranges::any_of(*facts, [](const JsonFact& fact) { return fact.name.starts_with(kJobConfigurations); });
  Settings settings;
  for (const JsonFact& fact : *facts) {
    const auto [path, key] = split_path(fact.name);
    if (described && !(fact.name.starts_with(kJobConfigurations) && path.ends_with("RuleParameters"))) continue;
    if (key.empty() || std::ranges::find(kIgnoredKeys, lower(key)) != kIgnoredKeys.end()) continue;
    const auto rule = rule_of.find(path);
    const bool prefixed = rule == rule_of.end() || lower(rule->second) == "profilerreport";
    // A job may have other kinds of rules, such as the processing of SageMaker Profiler's output.
    if (described && (rule == rule_of.end() || (!prefixed && find_rule(rule->second) == nullptr))) continue;
    const std::string name = prefixed ? key : rule->second + "_" + key;
    // AWS sets this for all rules, but some of ours evaluate all data at once.
    if (lower(name).ends_with(kScanInterval) && !parameter_of(name)) continue;
    settings.emplace_back(name, fact.value);
  }
  if (auto failure = check_settings(settings)) return *failure;
  return settings;
}

}  // namespace warpscope::rules
