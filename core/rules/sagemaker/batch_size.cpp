// BatchSize: CPU, GPU and GPU memory are all underused, so that a larger batch would fit.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::batch_size {

namespace {

constexpr std::array kParameters{
    percent_parameter("cpu_threshold_p95", "95th percentile in % below which the CPU is underused", "70"),
    percent_parameter("gpu_threshold_p95", "the same for a GPU", "70"),
    percent_parameter("gpu_memory_threshold_p95", "the same for the memory of a GPU", "70"), patience_parameter(),
    window_parameter("500")};
constexpr double kHigh = 0.95;

/// Mean over the cores of each node, by time.
std::map<std::string, SampledSeries> cpu_of_nodes(Facts& facts) {
  std::map<std::string, std::map<Ns, double>> sums;
  std::map<std::string, std::size_t> cores;
  for (const SampledSeries& core : sampled_series(facts, trace::Metric::cpu_utilisation)) {
    ++cores[core.node];
    for (std::size_t i = 0; i < core.times.size(); ++i) sums[core.node][core.times[i]] += core.values[i];
  }
  std::map<std::string, SampledSeries> means;
  for (const auto& [node, by_time] : sums)
    for (const auto& [time, sum] : by_time) {
      means[node].times.push_back(time);
      means[node].values.push_back(sum / static_cast<double>(cores[node]));
    }
  return means;
}

/// 95th percentile of the latest samples until `until`, and how many there are.
std::pair<double, std::size_t> high_until(const SampledSeries& series, Ns until, std::size_t window) {
  const auto end = std::ranges::upper_bound(series.times, until);
  const auto count = static_cast<std::size_t>(end - series.times.begin());
  return {quantile_of(series.values, count - std::min(count, window), count, kHigh), count};
}

Outcome evaluate(const RuleInput& input) {
  const auto cpus = cpu_of_nodes(input.facts);
  bool from_traces = false;
  const auto gpus = sampled_series(input.facts, trace::Metric::gpu_utilisation, &from_traces);
  const auto memories = sampled_series(input.facts, trace::Metric::gpu_memory);
  if (cpus.empty() || from_traces || gpus.empty() || memories.empty())
    return without_metrics("cores, GPUs and GPU memory");
  const std::int64_t patience = input.values.integer(kPatience);
  const auto window = static_cast<std::size_t>(input.values.integer(kWindow));
  const auto needed = std::max(patience, static_cast<std::int64_t>(window));
  const auto longest = std::ranges::max_element(cpus, {}, [](const auto& each) { return each.second.times.size(); });
  if (static_cast<std::int64_t>(longest->second.times.size()) <= needed)
    return too_few_samples(longest->second.times.size(), needed, interval_of(longest->second.times));
  std::vector<Place> places;
  double highest = 0;
  AwsCounts aws = counts_of(gpus);
  for (const auto& [node, cpu] : cpus) {
    for_each_minute(cpu.times, [&](std::size_t count) {
      if (static_cast<std::int64_t>(count) <= needed) return;
      const Ns until = cpu.times[count - 1];
      const double cpu_high = high_until(cpu, until, window).first;
      if (cpu_high >= input.values.real("cpu_threshold_p95")) return;
      for (const SampledSeries& gpu : gpus) {
        if (gpu.node != node) continue;
        const auto memory = std::ranges::find_if(memories, [&](const SampledSeries& each) {
          return each.node == gpu.node && each.instance == gpu.instance;
        });
        if (memory == memories.end()) continue;
        const auto [gpu_high, gpu_count] = high_until(gpu, until, window);
        const auto [memory_high, memory_count] = high_until(*memory, until, window);
        if (gpu_count <= window || gpu_high >= input.values.real("gpu_threshold_p95") ||
            memory_high >= input.values.real("gpu_memory_threshold_p95"))
          continue;
        highest = std::max(highest, memory_high);
        ++aws.triggered;
        const std::string text =
            fmt::format("{} of {}: CPU {:.0f} %, GPU {:.0f} %, GPU memory {:.0f} % (95th percentiles)", gpu.name, node,
                        cpu_high, gpu_high, memory_high);
        const Interval time{cpu.times[count - std::min(count, window)], until + 1};
        const auto same = std::ranges::find_if(places, [&](const Place& place) {
          return place.text.starts_with(fmt::format("{} of {}:", gpu.name, node));
        });
        if (same == places.end())
          places.push_back({text, std::nullopt, std::nullopt, time, std::nullopt});
        else
          *same = {text, std::nullopt, std::nullopt, time, std::nullopt};
      }
    });
  }
  aws.violations = aws.triggered;
  if (places.empty()) return {Verdict::no_issues, "CPU, GPU or GPU memory are used.", {}, aws};
  const std::string sentence = fmt::format(
      "CPU, GPU and GPU memory of {} of {} GPUs are underused: a larger batch fits. GPU memory reaches {:.0f} %.",
      places.size(), gpus.size(), highest);
  keep_longest(places);
  return {Verdict::issues_found,
          sentence,
          {{sentence, "Use a larger batch, or an instance with smaller GPUs.", 0, 0, false, std::move(places)}},
          aws};
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"BatchSize", "Batch too small",
                 "The 95th percentiles of CPU, GPU and GPU memory utilization are all below 70 %.", kParameters,
                 evaluate};

}  // namespace warpscope::rules::registered::batch_size
