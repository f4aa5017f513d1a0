// IOBottleneck: GPUs are underused while a core waits for I/O.
#include <array>

#include "core/rules/sagemaker/core_bottleneck.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::io_bottleneck {

namespace {

constexpr std::array kParameters{
    percent_parameter("threshold", "report an issue if more than this % of snapshots are bottlenecks", "50"),
    percent_parameter("gpu_threshold", "GPU utilization (%) below which a GPU is considered underused", "10"),
    percent_parameter("io_threshold", "I/O wait (%) above which a core is considered waiting", "50"),
    patience_parameter(), scan_parameter()};
constexpr std::string_view kAdvice =
    "Prefetch data, use binary formats such as TFRecord or WebDataset instead of many small files, and copy the data "
    "to a local disk.";

Outcome evaluate(const RuleInput& input) {
  return judge_cores(input, {trace::Metric::io_wait, "io_threshold", "a core's I/O wait is above",
                             "Reading data slows down the GPUs.", kAdvice});
}

}  // namespace

extern const Rule kRule{"IOBottleneck",
                        "I/O bottleneck",
                        "In more than half of the snapshots, a GPU is below 10 % while a core's I/O wait is above "
                        "50 %.",
                        kParameters,
                        evaluate,
                        kAdvice,
                        kBottleneckRepairs};

}  // namespace warpscope::rules::registered::io_bottleneck
