// LoadBalancing: GPUs are used unevenly. Compares the histograms of their utilization by the square root of the
// Jensen–Shannon divergence (0 for equal histograms, 0.83 for disjoint ones).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::load_balancing {

namespace {

constexpr std::array kParameters{
    percent_parameter("threshold", "distance between two histograms above which an issue is reported", "0.2"),
    patience_parameter(), interval_parameter()};
constexpr std::string_view kAdvice =
    "Distribute the work evenly: change the sharding or distribution strategy, or use batches of equal size.";

/// The two GPUs that differ most.
struct Furthest {
  double distance = 0;
  std::pair<std::size_t, std::size_t> gpus;
  std::size_t above = 0;  ///< number of pairs above the threshold
  std::size_t pairs = 0;  ///< number of compared pairs
};

Furthest furthest_pair(const std::vector<analysis::NamedSamples>& gpus, double threshold,
                       analysis::Arithmetic arithmetic) {
  Furthest furthest;
  for (const auto& [a, b, distance] : analysis::gpu_distances(gpus, arithmetic)) {
    ++furthest.pairs;
    furthest.above += distance > threshold ? 1 : 0;
    if (distance <= furthest.distance) continue;
    furthest.distance = distance;
    furthest.gpus = {a, b};
  }
  return furthest;
}

Outcome evaluate(const RuleInput& input) {
  const GpuSamples samples = gpu_samples(input.facts, input.values.duration(kInterval));
  const std::vector<SampledSeries>& gpus = samples.gpus;
  const AwsCounts aws = counts_of(gpus);  // AWS's rule never finds anything
  if (gpus.size() < 2) return {Verdict::not_evaluable, "Needs at least two GPUs.", {}, aws};
  const auto least = std::ranges::min_element(gpus, {}, [](const SampledSeries& gpu) { return gpu.times.size(); });
  const std::int64_t patience = input.values.integer(kPatience);
  const std::vector<analysis::NamedSamples> compared = named(gpus);
  const auto arithmetic = input.aws ? analysis::Arithmetic::aws : analysis::Arithmetic::ours;
  const auto details = [&] {
    return std::vector<Detail>{{analysis::workload_table(compared), analysis::kWorkloadChart},
                               {analysis::distances_table(compared, arithmetic)}};
  };
  if (static_cast<std::int64_t>(least->times.size()) <= patience) {
    Outcome few = too_few_samples(least->times.size(), patience, interval_of(least->times), samples.source());
    few.aws = aws;
    if (samples.trace_interval == 0) few.details = details();
    return few;
  }
  const double threshold = input.values.real("threshold");
  const auto name = [&](std::size_t gpu) { return fmt::format("{} of {}", gpus[gpu].name, gpus[gpu].node); };
  const Furthest furthest = furthest_pair(compared, threshold, analysis::Arithmetic::ours);
  const std::string why = fmt::format("The largest distance is {:.2f}, between {} and {}{}.", furthest.distance,
                                      name(furthest.gpus.first), name(furthest.gpus.second), samples.source());
  const auto above = static_cast<std::int64_t>(furthest.above);
  Outcome outcome{Verdict::no_issues, why + fmt::format(" Limit: {}.", threshold), {}, aws};
  outcome.counts = {above, above, aws.datapoints};
  outcome.aws_remark = fmt::format(
      "With AWS's histograms, the largest distance is {:.2f}, but AWS's rule compares each GPU only with itself.",
      furthest_pair(compared, threshold, analysis::Arithmetic::aws).distance);
  outcome.details = details();
  if (above == 0) return outcome;
  const SampledSeries& first = gpus[furthest.gpus.first];
  outcome.verdict = Verdict::issues_found;
  outcome.why = why;
  Finding finding{fmt::format("The GPUs are used unevenly: {} of {} pairs differ by more than {}. {}", above,
                              furthest.pairs, threshold, why),
                  std::string(kAdvice)};
  for (const std::size_t gpu : {furthest.gpus.first, furthest.gpus.second})
    finding.places.push_back(place_in(gpus[gpu], name(gpu), {first.times.front(), first.times.back() + 1}));
  outcome.findings.push_back(std::move(finding));
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "LoadBalancing",
    "Unbalanced GPUs",
    "The histograms of two GPUs' utilization differ by more than 0.2 (square root of the Jensen–Shannon divergence).",
    kParameters,
    evaluate,
    kAdvice,
    "Compares all pairs of GPUs on all nodes (with more than 128 GPUs, pairs of those that differ most from the mean); "
    "AWS's rule compares each GPU only with itself, so it can never find an issue. Includes samples above 98 %, which "
    "AWS's histogram omits."};

}  // namespace warpscope::rules::registered::load_balancing
