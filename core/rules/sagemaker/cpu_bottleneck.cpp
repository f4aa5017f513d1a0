// CPUBottleneck: GPUs are underused while a core is busy.
#include <array>

#include "core/rules/sagemaker/core_bottleneck.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::cpu_bottleneck {

namespace {

constexpr std::array kParameters{
    percent_parameter("threshold", "report an issue if more than this % of snapshots are bottlenecks", "50"),
    percent_parameter("gpu_threshold", "GPU utilization (%) below which a GPU is considered underused", "10"),
    percent_parameter("cpu_threshold", "CPU utilization (%) above which a core is considered busy", "90"),
    patience_parameter(), scan_parameter()};
constexpr std::string_view kAdvice =
    "Use more data loader workers and prefetching, move preprocessing to the GPU or do it before training, or use an "
    "instance with more cores per GPU.";

Outcome evaluate(const RuleInput& input) {
  return judge_cores(input, {trace::Metric::cpu_utilisation, "cpu_threshold", "a core is above",
                             "The CPU slows down the GPUs.", kAdvice});
}

}  // namespace

extern const Rule kRule{"CPUBottleneck",
                        "CPU bottleneck",
                        "In more than half of the snapshots, a GPU is below 10 % while a core is above 90 %.",
                        kParameters,
                        evaluate,
                        kAdvice,
                        kBottleneckRepairs};

}  // namespace warpscope::rules::registered::cpu_bottleneck
