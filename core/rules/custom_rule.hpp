#pragma once
// User-defined rules: limits on metrics, counters and analysis columns. Rules are read only from the user's own JSON
// file, never from a trace directory.
//
//   [{"name": "HotGpu", "metric": "GPU utilization", "statistic": "p95", "comparison": ">", "threshold": 98,
//     "window": 500, "patience": 1000, "advice": "Use more GPUs."},
//    {"name": "IdleShare", "metric": "temporal_breakdown.idle_time_pctg", "statistic": "max", "comparison": ">",
//     "threshold": 0.3}]
//
// A metric is a system metric, a trace counter, or ANALYSIS.COLUMN. Analysis columns are in base units (ns, bytes,
// fractions instead of percentages), and the statistic is computed over all rows. Metrics and counters are evaluated
// once per minute of data, after more than `patience` samples have been collected. Each evaluation uses the latest
// `window` samples (0: all).
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

struct CustomRule {
  std::string name;
  std::string about;  ///< description of the condition
  std::string advice;
  std::string metric;
  std::string statistic = "mean";  ///< mean, min, max, p5, p50, p95, p99
  std::string comparison = ">";    ///< >, >=, <, <=
  double threshold = 0;
  std::int64_t window = 0;
  std::int64_t patience = 0;
};

/// Parses a JSON list of rules. Errors: invalid JSON; a missing rule name or metric; an
/// unknown key, statistic or comparison; the name of a built-in rule.
[[nodiscard]] Result<std::vector<CustomRule>> parse_custom_rules(std::string_view json);

/// Evaluates the rule on a profile; runs on a worker thread.
[[nodiscard]] Outcome judge_custom(Facts& facts, const CustomRule& rule);

}  // namespace warpscope::rules
