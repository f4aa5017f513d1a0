// LowGPUUtilization: a GPU is underused, or its utilization fluctuates.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::low_gpu_utilization {

namespace {

constexpr std::array kParameters{
    percent_parameter("threshold_p95", "95th percentile in % below which a GPU is underused", "70"),
    percent_parameter("threshold_p5", "5th percentile in % below which the utilization of a used GPU fluctuates", "10"),
    patience_parameter(), window_parameter("500")};

struct Judged {
  std::int64_t times_judged = 0;  ///< minutes after which it is low or fluctuates
  bool low = false;
  bool fluctuates = false;
  double p95 = 100;
  double p5 = 100;
  Interval time;  // of the last window that was judged so
};

Judged judge(const SampledSeries& gpu, const RuleInput& input) {
  Judged judged;
  const auto window = static_cast<std::size_t>(input.values.integer(kWindow));
  for_each_minute(gpu.times, [&](std::size_t count) {
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
  bool from_traces = false;
  const auto gpus = sampled_series(input.facts, trace::Metric::gpu_utilisation, &from_traces);
  if (gpus.empty()) return without_metrics("GPUs, and no GPU activity");
  const auto most = std::ranges::max_element(gpus, {}, [](const SampledSeries& gpu) { return gpu.times.size(); });
  const std::int64_t patience = input.values.integer(kPatience);
  if (from_traces && static_cast<std::int64_t>(most->times.size()) <= patience) return without_metrics("GPUs");
  if (static_cast<std::int64_t>(most->times.size()) <= patience)
    return too_few_samples(most->times.size(), patience, interval_of(most->times));
  std::size_t low = 0;
  std::size_t fluctuating = 0;
  double worst = 101;
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
    places.push_back(
        {fmt::format("{}: 95 % of the samples below {:.0f} %, 5 % below {:.0f} %", name, judged.p95, judged.p5),
         std::nullopt, std::nullopt, judged.time, std::nullopt, static_cast<Ns>((100 - judged.p95) * 1e6)});
    if (judged.p95 >= worst) continue;
    worst = judged.p95;
    which = name;
    least = &gpu;
  }
  const std::string source = from_traces ? " (busy share of each 500 ms, from the traces)" : "";
  const std::string why = fmt::format("Underused: {} of {} GPUs. Utilization that fluctuates: {}{}.", low, gpus.size(),
                                      fluctuating, source);
  aws.violations = aws.triggered;
  if (places.empty()) return {Verdict::no_issues, why, {}, aws};
  keep_longest(places);
  return {Verdict::issues_found,
          why,
          {{fmt::format("{} The least used is {}: 95 % of its samples are below {:.0f} %.", why, which, worst),
            "Look for the bottleneck: CPU, I/O, data loader, communication. If there is none, use a larger batch or "
            "fewer GPUs.",
            0, 0, false, std::move(places), samples_of(input.facts, "Utilization of " + which, *least)}},
          aws};
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"LowGPUUtilization", "Low GPU utilization",
                 "The 95th percentile of a GPU's utilization is below 70 %, or its 5th percentile below 10 %.",
                 kParameters, evaluate};

}  // namespace warpscope::rules::registered::low_gpu_utilization
