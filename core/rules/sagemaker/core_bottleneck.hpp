#pragma once
// CPUBottleneck and IOBottleneck: a GPU is underused while a core is above its limit. The two rules differ only in the
// core metric.
#include <string>

#include "core/rules/rule.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::rules {

struct CoreBottleneck {
  trace::Metric metric;         ///< of the cores
  std::string_view limit;       ///< name of the parameter with the limit for a core
  std::string_view core_words;  ///< "a core is above", "a core's I/O wait is above"
  std::string_view conclusion;
  std::string_view advice;
};

/// Rule::repairs of both rules.
inline constexpr std::string_view kBottleneckRepairs =
    "Counts each sample once; AWS counts samples at the end of a minute twice. AWS's pie chart subtracts the wrong "
    "numbers, and its labels for CPU and GPU time are swapped.";

/// Evaluates the percentage of snapshots in which a GPU is below its limit while a core is above its limit.
[[nodiscard]] Outcome judge_cores(const RuleInput& input, const CoreBottleneck& of);

}  // namespace warpscope::rules
