#include "core/rules/custom_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/analysis/shared/statistics.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/table_writers.hpp"
#include "core/rules/registry.hpp"
#include "core/rules/sampled_series.hpp"

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

double statistic_of(const CustomRule& rule, std::vector<double> values) {
  if (rule.statistic == "mean")
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  std::ranges::sort(values);
  if (rule.statistic == "min") return values.front();
  if (rule.statistic == "max") return values.back();
  return analysis::quantile(values, std::stod(rule.statistic.substr(1)) / 100);
}

bool holds(const CustomRule& rule, double value) {
  if (rule.comparison == ">") return value > rule.threshold;
  if (rule.comparison == ">=") return value >= rule.threshold;
  return rule.comparison == "<" ? value < rule.threshold : value <= rule.threshold;
}

/// True if `a` is worse than `b`: higher if the rule looks for high values, otherwise lower.
bool worse(const CustomRule& rule, double a, double b) { return rule.comparison.front() == '>' ? a > b : a < b; }

Outcome found(const CustomRule& rule, const std::string& why, std::vector<Place> places) {
  keep_longest(places);
  return {Verdict::issues_found, why, {{why, rule.advice, 0, 0, false, std::move(places)}}};
}

Outcome judge_column(Facts& facts, const CustomRule& rule, const analysis::Analysis& analysis, std::string_view name) {
  const auto tables = analysis::run_analysis(analysis, facts.profile(), facts.input().scope, {}, facts.input().cancel,
                                             nullptr, facts.input().events, facts.input().shared);
  if (!tables) return {Verdict::not_evaluable, tables.error().message(), {}};
  for (const Table& table : *tables) {
    const auto& columns = table.columns();
    const auto column = std::ranges::find_if(columns, [&](const Column& each) {
      return lower(each.name) == lower(name) || lower(csv_name(each)) == lower(name);
    });
    if (column == columns.end()) continue;
    std::vector<double> values;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double value = table.at(row, static_cast<std::size_t>(column - columns.begin())).number();
      if (!std::isnan(value)) values.push_back(value);
    }
    if (values.empty()) return {Verdict::not_evaluable, fmt::format("{} has no values.", rule.metric), {}};
    const double value = statistic_of(rule, std::move(values));
    const std::string why = fmt::format("{} of {} is {:.6g}{}.", rule.statistic, rule.metric, value,
                                        exact_unit(*column).empty() ? "" : fmt::format(" {}", exact_unit(*column)));
    return holds(rule, value) ? found(rule, why, {}) : Outcome{Verdict::no_issues, why, {}};
  }
  return {Verdict::not_evaluable, fmt::format("{} has no column {}.", analysis.name, name), {}};
}

std::vector<SampledSeries> counters_named(Facts& facts, std::string_view name) {
  std::vector<SampledSeries> all;
  const trace::Profile& profile = facts.profile();
  for (const std::uint32_t rank : facts.all_rows().ranks())
    for (const trace::Counter& counter : profile.ranks[rank]->counters) {
      if (lower(counter.name()) != lower(name)) continue;
      SampledSeries series;
      series.node = fmt::format("rank {}", profile.ranks[rank]->number);
      series.name = counter.name();
      add_samples(series, counter);
      if (!series.times.empty()) all.push_back(std::move(series));
    }
  return all;
}

std::vector<SampledSeries> series_named(Facts& facts, std::string_view name) {
  for (std::size_t m = 0; m + 1 < trace::kMetrics; ++m) {
    const auto metric = static_cast<trace::Metric>(m);
    if (lower(trace::to_string(metric)) == lower(name)) return sampled_series(facts, metric);
  }
  return counters_named(facts, name);
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

Outcome judge_custom(Facts& facts, const CustomRule& rule) {
  if (const std::size_t dot = rule.metric.find('.'); dot != std::string::npos)
    if (const auto* analysis = analysis::find_analysis(rule.metric.substr(0, dot)))
      return judge_column(facts, rule, *analysis, std::string_view(rule.metric).substr(dot + 1));
  const auto all = series_named(facts, rule.metric);
  if (all.empty()) return {Verdict::not_evaluable, fmt::format("The profile has no {}.", rule.metric), {}};
  std::size_t most = 0;
  for (const SampledSeries& series : all) most = std::max(most, series.times.size());
  if (static_cast<std::int64_t>(most) <= rule.patience)
    return too_few_samples(most, rule.patience, interval_of(all.front().times));
  std::vector<Place> places;
  std::optional<double> worst;
  for (const SampledSeries& series : all) {
    for_each_scan(series.times, kMinute, [&](std::size_t count) {
      if (static_cast<std::int64_t>(count) <= rule.patience) return;
      const std::size_t from = rule.window > 0 ? count - std::min(count, static_cast<std::size_t>(rule.window)) : 0;
      const double value = statistic_of(rule, {series.values.begin() + static_cast<std::ptrdiff_t>(from),
                                               series.values.begin() + static_cast<std::ptrdiff_t>(count)});
      if (!worst || worse(rule, value, *worst)) worst = value;
      if (!holds(rule, value)) return;
      const std::string name = fmt::format("{} of {}: ", series.name, series.node);
      const Interval time{series.times[from], series.times[count - 1] + 1};
      if (places.empty() || !places.back().text.starts_with(name))
        places.push_back({"", std::nullopt, std::nullopt, time, std::nullopt, Ns{-1}});
      Place& place = places.back();  // one per series, with its worst value
      place.time.end = time.end;
      const auto beyond = static_cast<Ns>(std::min(std::abs(value - rule.threshold) * 1e6, 1e18));
      if (beyond <= place.weight) return;
      place.weight = beyond;
      place.text = fmt::format("{}{:.6g}", name, value);
    });
  }
  const std::string why = fmt::format("{} of {} reaches {:.6g}.", rule.statistic, rule.metric, worst.value_or(0));
  return places.empty() ? Outcome{Verdict::no_issues, why, {}} : found(rule, why, std::move(places));
}

}  // namespace warpscope::rules
