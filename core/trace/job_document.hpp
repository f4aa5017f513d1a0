#pragma once
// Job documents from a training service: saved output of `describe-training-job` and the configuration files that
// SageMaker places in its containers. Plain data: every value is stored as text under its dotted name, and values used
// by the program also have their own fields. core/analysis decides how to show them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_facts.hpp"

namespace warpscope::trace {

enum class JobDocumentKind : std::uint8_t {
  training_job,      ///< output of describe-training-job
  profiler_config,   ///< profilerconfig.json
  resource_config,   ///< resourceconfig.json: the hosts of the job
  hyper_parameters,  ///< hyperparameters.json
  input_data,        ///< inputdataconfig.json: the job's channels
  rule_report,       ///< profiler-reports/RULE.json: findings of a SageMaker Debugger rule
};

struct JobDocument {
  JobDocumentKind kind = JobDocumentKind::training_job;
  std::string path;
  std::uint64_t size = 0;        ///< bytes on disk
  std::int64_t modified_ns = 0;  ///< since the Unix epoch
  std::vector<JsonFact> facts;   ///< in file order

  std::string job_name;                                          ///< "" if not given
  std::string status;                                            ///< "Completed", "InProgress", as written
  std::string instance_type;                                     ///< "ml.p4d.24xlarge"
  std::int64_t instance_count = 0;                               ///< 0 if not given
  std::optional<std::int64_t> created_ns, started_ns, ended_ns;  ///< since the Unix epoch

  /// Returns the value with that name, or "".
  [[nodiscard]] std::string_view value(std::string_view name) const {
    for (const JsonFact& fact : facts)
      if (fact.name == name) return fact.value;
    return {};
  }
};

using JobDocuments = std::vector<JobDocument>;

}  // namespace warpscope::trace
