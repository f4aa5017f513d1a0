// Parses user-defined rules.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "core/rules/custom_rule.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::rules {

namespace {

using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kMostCustomRules = 1000;
constexpr std::array<std::string_view, 7> kStatistics{"mean", "min", "max", "p5", "p50", "p95", "p99"};
constexpr std::array<std::string_view, 4> kComparisons{">", ">=", "<", "<="};

template <std::size_t N>
Failure one_of(const std::array<std::string_view, N>& known, std::string_view value, std::string_view key) {
  if (std::ranges::find(known, value) != known.end()) return {};
  return Error{std::string(key), fmt::format("is \"{}\"", value), fmt::format("use one of {}", fmt::join(known, ", "))};
}

Failure take_member(CustomRule& rule, std::string_view key, const element& value) {
  const auto wrong = [&](std::string_view kind) {
    return Error{std::string(key), fmt::format("must be {}", kind), ""};
  };
  for (auto& [name, text] :
       {std::pair{"name", &rule.name}, std::pair{"advice", &rule.advice}, std::pair{"metric", &rule.metric},
        std::pair{"statistic", &rule.statistic}, std::pair{"comparison", &rule.comparison}}) {
    if (key != name) continue;
    if (!value.is_string()) return wrong("a string");
    *text = std::string(std::string_view(value));
    return {};
  }
  if (!value.is_number()) {
    if (key == "threshold" || key == "window" || key == "patience") return wrong("a number");
    return Error{std::string(key), "is not a rule key",
                 "accepted: name, metric, statistic, comparison, threshold, window, patience, advice"};
  }
  const auto number = double(value);
  if (key == "threshold") {
    rule.threshold = number;
  } else if (key == "window" || key == "patience") {
    if (number < 0 || number > 1e9) return wrong("0 or more");
    (key == "window" ? rule.window : rule.patience) = static_cast<std::int64_t>(number);
  } else {
    return wrong("omitted, because it is not a rule key");
  }
  return {};
}

Failure check(CustomRule& rule) {
  if (rule.name.empty()) return Error{"name", "is missing", "give each rule a name"};
  if (find_rule(rule.name) != nullptr) return Error{rule.name, "is a built-in rule", "choose another name"};
  if (rule.metric.empty()) return Error{rule.name, "has no metric", "see warpscope rules --help"};
  if (auto failure = one_of(kStatistics, rule.statistic, "statistic")) return failure;
  if (auto failure = one_of(kComparisons, rule.comparison, "comparison")) return failure;
  rule.about = fmt::format("{} of {} {} {}.", rule.statistic, rule.metric, rule.comparison, rule.threshold);
  return {};
}

Result<CustomRule> rule_of(const object& members) {
  CustomRule rule;
  for (const auto& [key, value] : members)
    if (auto failure = take_member(rule, key, value)) return *failure;
  if (auto failure = check(rule)) return *failure;
  return rule;
}

}  // namespace

Result<std::vector<CustomRule>> parse_custom_rules(std::string_view json) {
  std::vector<CustomRule> rules;
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(json);
  simdjson::dom::array all;
  if (parser.parse(padded).get(all) != simdjson::SUCCESS) return Error{"rules", "are not a JSON list", ""};
  for (const element each : all) {
    if (!each.is_object()) return Error{"a rule", "must be a JSON object", ""};
    if (rules.size() == kMostCustomRules) return Error{"rules", "are too many", ""};
    auto rule = rule_of(object(each));
    if (!rule) return rule.error();
    rules.push_back(std::move(*rule));
  }
  return rules;
}

}  // namespace warpscope::rules
