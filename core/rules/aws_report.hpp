#pragma once
// Findings of SageMaker Debugger's own rules, from the reports saved next to a job's data (profiler-reports/RULE.json),
// for comparison with the outcomes of our rules.
#include <string>
#include <vector>

#include "core/rules/rule.hpp"

namespace warpscope::rules {

struct AwsReport {
  std::string rule;  ///< "CPUBottleneck"
  AwsCounts counts;
  std::string parameters;                   ///< "threshold:50, patience:1000"
  std::vector<analysis::Setting> settings;  ///< `parameters` as pairs: "threshold" and "50"
};

/// True if the job has any reports. Cheap.
[[nodiscard]] bool has_aws_reports(const trace::Profile& profile);
/// Returns all reports of the job, sorted by rule.
[[nodiscard]] std::vector<AwsReport> aws_reports(const trace::Profile& profile);

}  // namespace warpscope::rules
