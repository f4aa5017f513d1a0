#pragma once
// User-defined rules: a limit on a metric, a counter or a column of an analysis; or a program that judges tables. They
// come from the user's own JSON file, never from a trace directory, because programs are run as they are.
//
//   [{"name": "HotGpu", "metric": "GPU utilization", "statistic": "p95", "comparison": ">", "threshold": 98,
//     "window": 500, "patience": 1000, "advice": "Use more GPUs."},
//    {"name": "IdleShare", "metric": "temporal_breakdown.idle_time_pctg", "statistic": "max", "comparison": ">",
//     "threshold": 0.3},
//    {"name": "Mine", "program": ["python3", "check.py"], "tables": ["step_time", "kernel_time"]}]
//
// A metric is one of the system metrics, a counter of the traces, or ANALYSIS.COLUMN in exact units (ns, bytes,
// fractions of one), where the statistic is over the rows. Samples are judged after every minute of data, once there
// are more than `patience`, over the latest `window` (0: all).
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
  std::vector<std::string> program;  ///< with arguments; empty: a limit
  std::vector<std::string> tables;   ///< analyses whose tables the program reads
};

/// Parses a list of rules, or one per line. Errors: not JSON; a rule without a name, with an unknown key, statistic,
/// comparison or analysis, or with the name of a built-in rule.
[[nodiscard]] Result<std::vector<CustomRule>> parse_custom_rules(std::string_view json);

/// Judges the profile; on a worker thread.
[[nodiscard]] Outcome judge_custom(Facts& facts, const CustomRule& rule);

}  // namespace warpscope::rules
