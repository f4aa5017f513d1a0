#pragma once
// Reads the results of SageMaker Debugger's own rules from the reports saved with a job's data
// (profiler-reports/RULE.json), for comparison with ours.
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
/// Returns all of the job's reports, sorted by rule.
[[nodiscard]] std::vector<AwsReport> aws_reports(const trace::Profile& profile);

}  // namespace warpscope::rules
