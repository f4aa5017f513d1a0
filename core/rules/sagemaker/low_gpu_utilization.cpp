// LowGPUUtilization: a GPU is underused, or its utilization fluctuates.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::low_gpu_utilization {

namespace {

constexpr std::array kParameters{
    percent_parameter("threshold_p95", "95th percentile (%) below which a GPU is considered underused", "70"),
    percent_parameter(
        "threshold_p5",
        "5th percentile (%) below which utilization is considered fluctuating, unless the GPU is underused", "10"),
    patience_parameter(),
    window_parameter("500"),
    scan_parameter(),
    interval_parameter()};
constexpr std::string_view kAdvice =
    "Look for the bottleneck: CPU, I/O, data loader or communication. If there is none, use a larger batch or fewer "
    "GPUs.";

struct Judged {
  std::int64_t times_judged = 0;  ///< number of evaluations with low or fluctuating utilization
  bool low = false;
  bool fluctuates = false;
  double p95 = 100;
  double p5 = 100;
  Interval time;  // of the last window with this verdict
};

Judged judge(const SampledSeries& gpu, const RuleInput& input) {
  Judged judged;
  const auto window = static_cast<std::size_t>(input.values.integer(kWindow));
  for_each_scan(gpu.times, scan_interval(input), [&](std::size_t count) {
    if (static_cast<std::int64_t>(count) <= input.values.integer(kPatience)) return;
    const std::size_t from = count - std::min(count, window);
    const double p95 = quantile_of(gpu.values, from, count, 0.95);
    const double p5 = quantile_of(gpu.values, from, count, 0.05);
    const bool low = p95 < input.values.real("threshold_p95");
    const bool fluctuates = p95 > input.values.real("threshold_p95") && p5 < input.values.real("threshold_p5");
    if (!low && !fluctuates) return;
    ++judged.times_judged;
    judged.low = judged.low || low;
    judged.fluctuates = judged.fluctuates || fluctuates;
    judged.p95 = p95;
    judged.p5 = p5;
    judged.time = {gpu.times[from], gpu.times[count - 1] + 1};
  });
  return judged;
}

Outcome evaluate(const RuleInput& input) {
  const GpuSamples samples = gpu_samples(input.facts, input.values.duration(kInterval));
  const std::vector<SampledSeries>& gpus = samples.gpus;
  if (gpus.empty()) return without_metrics("GPUs, and no GPU activity");
  const auto most = std::ranges::max_element(gpus, {}, [](const SampledSeries& gpu) { return gpu.times.size(); });
  const std::int64_t patience = input.values.integer(kPatience);
  Table boxes = analysis::box_table("gpu-utilization", "Utilization of GPUs", named(gpus));
  boxes.note = fmt::format("Based on all samples{}. The rule uses the 95th and 5th percentiles of the latest {}.",
                           samples.source(), input.values.integer(kWindow));
  std::vector<Detail> details{{std::move(boxes), analysis::kBoxChart}};
  if (static_cast<std::int64_t>(most->times.size()) <= patience) {
    Outcome few = too_few_samples(most->times.size(), patience, interval_of(most->times), samples.source());
    if (samples.trace_interval == 0) few.details = std::move(details);
    return few;
  }
  std::size_t low = 0;
  std::size_t fluctuating = 0;
  double worst = 101;
  double least_p5 = 0;
  std::string which;
  const SampledSeries* least = nullptr;
  std::vector<Place> places;
  AwsCounts aws = counts_of(gpus);
  for (const SampledSeries& gpu : gpus) {
    const Judged judged = judge(gpu, input);
    aws.triggered += judged.times_judged;
    low += judged.low ? 1 : 0;
    fluctuating += !judged.low && judged.fluctuates ? 1 : 0;
    if (!judged.low && !judged.fluctuates) continue;
    const std::string name = fmt::format("{} of {}", gpu.name, gpu.node);
    places.push_back(place_in(
        gpu, fmt::format("{}: 95 % of the samples below {:.0f} %, 5 % below {:.0f} %", name, judged.p95, judged.p5),
        judged.time));
    places.back().weight = static_cast<Ns>((100 - judged.p95) * 1e6);
    if (judged.p95 >= worst) continue;
    worst = judged.p95;
    least_p5 = judged.p5;
    which = name;
    least = &gpu;
  }
  const std::string why = fmt::format("Underused: {} of {} GPUs. Fluctuating utilization: {}{}.", low, gpus.size(),
                                      fluctuating, samples.source());
  aws.violations = aws.triggered;
  Outcome outcome{places.empty() ? Verdict::no_issues : Verdict::issues_found, why, {}, aws};
  outcome.details = std::move(details);
  if (places.empty()) return outcome;
  keep_longest(places);
  const std::string subject =
      low > 0 ? fmt::format("{} of {} are underused", low, counted(gpus.size(), "GPU", "GPUs"))
              : fmt::format("The utilization of {} of {} fluctuates", fluctuating, counted(gpus.size(), "GPU", "GPUs"));
  const std::string also =
      low > 0 && fluctuating > 0 ? fmt::format(", and the utilization of {} more fluctuates", fluctuating) : "";
  outcome.findings.push_back(
      {fmt::format("{}{}{}. The least-used GPU is {}: in the worst window of {} samples, 95 % of them are below {:.0f} "
                   "% and 5 % below {:.0f} %.",
                   subject, also, samples.source(), which, input.values.integer(kWindow), worst, least_p5),
       std::string(kAdvice), 0, 0, false, std::move(places),
       samples_of(input.facts, "Utilization of " + which, *least)});
  return outcome;
}

}  // namespace

extern const Rule kRule{"LowGPUUtilization",
                        "Low GPU utilization",
                        "The 95th percentile of a GPU's utilization is below 70 %, or its 5th percentile below 10 %.",
                        kParameters,
                        evaluate,
                        kAdvice};

}  // namespace warpscope::rules::registered::low_gpu_utilization
