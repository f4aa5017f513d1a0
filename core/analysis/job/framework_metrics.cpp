// framework_metrics: time by phase of the training loop, and of SageMaker Debugger's framework timelines.
#include "core/analysis/job/framework_time.hpp"
#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis::registered::framework_metrics {

namespace {

Result<std::vector<Table>> run(const AnalysisInput& input) {
  return std::vector{steps_table(time_of_steps(input.profile, input.scope)),
                     phases_table(phase_times(input.profile, input.scope))};
}

}  // namespace

extern const Analysis kAnalysis{"framework_metrics",
                                "Framework metrics",
                                "Percentage of time by phase of the training loop and outside steps, and by phase of "
                                "SageMaker Debugger's framework timelines.",
                                {},
                                run};

}  // namespace warpscope::analysis::registered::framework_metrics
