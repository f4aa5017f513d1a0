// OverallSystemUsage: how well each node uses its GPUs and cores. AWS's rule only collects the table.
#include <fmt/format.h>

#include "core/analysis/shared/system_usage.hpp"
#include "core/rules/rule_details.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::overall_system_usage {

namespace {

constexpr double kLow = 70;                    // %
constexpr std::int64_t kLeastSamples = 1'000;  // same as the other rules for system metrics

/// Returns the conclusion that SageMaker Debugger's report draws from a node's usage.
std::string conclusion(const analysis::NodeUsage& gpu, const analysis::NodeUsage* cpu) {
  const std::string figures = cpu == nullptr ? fmt::format("GPU p95 {:.0f} %", gpu.p95)
                                             : fmt::format("GPU p95 {:.0f} %, CPU p95 {:.0f} %", gpu.p95, cpu->p95);
  if (gpu.p95 < kLow && cpu != nullptr && cpu->p95 < kLow)
    return "underused, so a smaller instance would suffice; " + figures;
  if (gpu.p95 < kLow && cpu != nullptr) return "the GPUs wait for the CPU; " + figures;
  if (gpu.p95 < kLow) return "the GPUs are underused; " + figures;
  if (gpu.p50 > kLow) return fmt::format("well utilized; {}, GPU p50 {:.0f} %", figures, gpu.p50);
  return figures;
}

Outcome evaluate(const RuleInput& input) {
  const trace::Profile& profile = input.facts.profile();
  const auto usage = analysis::system_usage(profile);
  if (usage.empty()) return {Verdict::not_evaluable, "There are no system metrics.", {}, AwsCounts{}};
  const AwsCounts aws{0, 0, static_cast<std::int64_t>(usage.front().samples)};
  if (usage.front().samples <= kLeastSamples) {
    Outcome few = too_few_samples(usage.front().samples, kLeastSamples, 0);
    const bool has_gpus =
        std::ranges::any_of(usage, [](const auto& each) { return each.metric == analysis::kGpuUsage; });
    if (!has_gpus) few = without_metrics("GPUs");  // more samples would not help
    few.aws = aws;
    few.details = details_from(input.facts, "system_usage", 1);
    return few;
  }
  std::string why;
  for (const analysis::NodeUsage& gpu : usage) {
    if (gpu.metric != analysis::kGpuUsage) continue;
    const auto cpu = std::ranges::find_if(usage, [&](const analysis::NodeUsage& each) {
      return each.node == gpu.node && each.metric == analysis::kCpuUsage;
    });
    why += fmt::format("{}{}: {}.", why.empty() ? "" : " ", profile.nodes[gpu.node].label,
                       conclusion(gpu, cpu == usage.end() ? nullptr : &*cpu));
  }
  if (why.empty()) why = "The nodes have no GPUs.";
  Outcome outcome{Verdict::no_issues, why, {}, aws};
  outcome.details = details_from(input.facts, "system_usage", 1);
  return outcome;
}

}  // namespace

extern const Rule kRule{"OverallSystemUsage",
                        "System usage",
                        "Summarizes each node with the 95th percentiles of its GPU and CPU utilization. Never reports "
                        "an issue; the system_usage analysis shows the table.",
                        {},
                        evaluate,
                        "Choose the instance type based on node utilization."};

}  // namespace warpscope::rules::registered::overall_system_usage
