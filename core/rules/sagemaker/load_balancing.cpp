// LoadBalancing: GPUs are used differently. Compares the histograms of their utilization by the square root of the
// Jensen–Shannon divergence (0 for equal ones, 0.83 for disjoint ones).
//
// Differs from AWS's rule, which can never find anything: its inner loop compares each GPU only with itself, and its
// histogram drops all samples above 98 %. This one compares all pairs of GPUs of all nodes over 0 to 100 %.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/job/spread.hpp"
#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::load_balancing {

namespace {

constexpr std::array kParameters{
    percent_parameter("threshold", "distance of two histograms that raises an issue", "0.2"), patience_parameter()};

Outcome evaluate(const RuleInput& input) {
  bool from_traces = false;
  const auto gpus = sampled_series(input.facts, trace::Metric::gpu_utilisation, &from_traces);
  if (gpus.size() < 2) return {Verdict::not_evaluable, "Needs at least two GPUs.", {}};
  const auto least = std::ranges::min_element(gpus, {}, [](const SampledSeries& gpu) { return gpu.times.size(); });
  const std::int64_t patience = input.values.integer(kPatience);
  if (from_traces && static_cast<std::int64_t>(least->times.size()) <= patience) return without_metrics("GPUs");
  if (static_cast<std::int64_t>(least->times.size()) <= patience)
    return too_few_samples(least->times.size(), patience, interval_of(least->times));
  std::vector<analysis::Workload> histograms;
  histograms.reserve(gpus.size());
  for (const SampledSeries& gpu : gpus) histograms.push_back(analysis::workload_of(gpu.values));
  double largest = 0;
  std::pair<std::size_t, std::size_t> pair;
  std::size_t above = 0;
  for (std::size_t a = 0; a < gpus.size(); ++a)
    for (std::size_t b = a + 1; b < gpus.size(); ++b) {
      const double apart = analysis::workload_distance(histograms[a], histograms[b]);
      above += apart > input.values.real("threshold") ? 1 : 0;
      if (apart <= largest) continue;
      largest = apart;
      pair = {a, b};
    }
  const auto name = [&](std::size_t gpu) { return fmt::format("{} of {}", gpus[gpu].name, gpus[gpu].node); };
  const std::string why =
      fmt::format("The largest distance is {:.2f}, between {} and {}.", largest, name(pair.first), name(pair.second));
  const AwsCounts aws = counts_of(gpus);  // AWS's rule never finds anything
  if (above == 0)
    return {Verdict::no_issues, why + fmt::format(" Limit: {}.", input.values.real("threshold")), {}, aws};
  const Interval time{gpus[pair.first].times.front(), gpus[pair.first].times.back() + 1};
  return {Verdict::issues_found,
          why,
          {{fmt::format("The GPUs are used differently: {} of {} pairs are further apart than {}. {}", above,
                        gpus.size() * (gpus.size() - 1) / 2, input.values.real("threshold"), why),
            "Distribute the work evenly: another sharding or distribution strategy, batches of equal size.",
            0,
            0,
            false,
            {{name(pair.first) + " and " + name(pair.second), std::nullopt, std::nullopt, time, std::nullopt}}}},
          aws};
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"LoadBalancing", "Unbalanced GPUs",
                 "The histograms of two GPUs' utilization differ by more than 0.2 (square root of the Jensen–Shannon "
                 "divergence). All pairs of GPUs of all nodes are compared, which AWS's rule fails to do.",
                 kParameters, evaluate};

}  // namespace warpscope::rules::registered::load_balancing
