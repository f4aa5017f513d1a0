// CPUBottleneck: GPUs are underused while a core is busy.
#include <array>

#include "core/rules/sagemaker/core_bottleneck.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::cpu_bottleneck {

namespace {

constexpr std::array kParameters{
    percent_parameter("threshold", "% of snapshots with a bottleneck that raises an issue", "50"),
    percent_parameter("gpu_threshold", "GPU utilization in % below which a GPU is underused", "10"),
    percent_parameter("cpu_threshold", "CPU utilization in % above which a core is busy", "90"), patience_parameter()};

Outcome evaluate(const RuleInput& input) {
  return judge_cores(
      input, {trace::Metric::cpu_utilisation, "cpu_threshold", "a core is busier than", "The CPU holds the GPUs back.",
              "Use more data loader workers and prefetching, move preprocessing to the GPU or before "
              "the training, or use an instance with more cores per GPU."});
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"CPUBottleneck", "CPU bottleneck",
                 "In more than half of the sampled moments a GPU is below 10 % while a core is above 90 %.",
                 kParameters, evaluate};

}  // namespace warpscope::rules::registered::cpu_bottleneck
