// BatchSize: CPU, GPU and GPU memory are all underused, so a larger batch would fit.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::batch_size {

namespace {

constexpr std::array kParameters{
    percent_parameter("cpu_threshold_p95", "95th percentile (%) below which the CPU is considered underused", "70"),
    percent_parameter("gpu_threshold_p95", "95th percentile (%) below which a GPU is considered underused", "70"),
    percent_parameter("gpu_memory_threshold_p95", "95th percentile (%) below which GPU memory is considered underused",
                      "70"),
    patience_parameter(),
    window_parameter("500"),
    scan_parameter()};
constexpr double kHigh = 0.95;
constexpr std::string_view kAdvice = "Use a larger batch, or an instance with smaller GPUs.";

/// Returns the CPU utilization of each node over time, averaged over its cores.
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

/// Returns CPU utilization as AWS computes it: one series with the samples of all nodes, in the order in which AWS
/// reads them (node by node within each interval). Each sample is divided by the number of distinct core names.
SampledSeries cpu_of_aws(Facts& facts, Ns interval) {
  struct Sample {
    Ns scan = 0;
    std::string node;
    Ns time = 0;
    double sum = 0;
  };
  std::map<Ns, Sample> by_time;
  std::set<std::string> names;
  for (const SampledSeries& core : sampled_series(facts, trace::Metric::cpu_utilisation)) {
    names.insert(core.name);
    for (std::size_t i = 0; i < core.times.size(); ++i) {
      Sample& sample = by_time[core.times[i]];
      if (sample.node.empty()) sample = {core.times[i] / interval, core.node, core.times[i], 0};
      sample.sum += core.values[i];
    }
  }
  std::vector<Sample> samples;
  for (auto& [time, sample] : by_time) samples.push_back(std::move(sample));
  std::ranges::stable_sort(samples, {}, [](const Sample& each) { return std::tie(each.scan, each.node, each.time); });
  SampledSeries all;
  for (const Sample& sample : samples) {
    all.times.push_back(sample.time);
    all.values.push_back(sample.sum / static_cast<double>(names.size()));
  }
  return all;
}

/// Returns the 95th percentile of the latest `window` samples up to `until`, and the number of all samples up to
/// `until`.
std::pair<double, std::size_t> high_until(const SampledSeries& series, Ns until, std::size_t window) {
  const auto end = std::ranges::upper_bound(series.times, until);
  const auto count = static_cast<std::size_t>(end - series.times.begin());
  return {quantile_of(series.values, count - std::min(count, window), count, kHigh), count};
}

const SampledSeries* memory_of(const std::vector<SampledSeries>& memories, const SampledSeries& gpu) {
  const auto memory = std::ranges::find_if(
      memories, [&](const SampledSeries& each) { return each.node == gpu.node && each.instance == gpu.instance; });
  return memory == memories.end() ? nullptr : &*memory;
}

/// Utilization of one GPU at one time.
struct Use {
  double gpu = 0;
  double memory = 0;
  bool low = false;
};
Use use_of(const RuleInput& input, const SampledSeries& gpu, const SampledSeries* memory, Ns until,
           std::size_t window) {
  if (memory == nullptr) return {};
  const auto [high, count] = high_until(gpu, until, window);
  Use use{high, high_until(*memory, until, window).first};
  use.low = count > window && use.gpu < input.values.real("gpu_threshold_p95") &&
            use.memory < input.values.real("gpu_memory_threshold_p95");
  return use;
}

AwsCounts aws_counts(const RuleInput& input, const std::vector<SampledSeries>& gpus,
                     const std::vector<SampledSeries>& memories, std::size_t needed, std::size_t window) {
  AwsCounts aws = counts_of(gpus);
  const SampledSeries cpu = cpu_of_aws(input.facts, scan_interval(input));
  std::vector<Ns> times = cpu.times;
  std::ranges::sort(times);
  for_each_scan(times, scan_interval(input), [&](std::size_t count) {
    if (count <= needed) return;
    if (quantile_of(cpu.values, count - std::min(count, window), count, kHigh) >=
        input.values.real("cpu_threshold_p95"))
      return;
    for (const SampledSeries& gpu : gpus)
      aws.triggered += use_of(input, gpu, memory_of(memories, gpu), times[count - 1], window).low ? 1 : 0;
  });
  aws.violations = aws.triggered;
  return aws;
}

/// Returns box plots of CPU, GPU and GPU memory utilization, node by node.
Detail use_table(const std::map<std::string, SampledSeries>& cpus, const std::vector<SampledSeries>& gpus,
                 const std::vector<SampledSeries>& memories) {
  std::vector<analysis::NamedSamples> series;
  for (const auto& [node, cpu] : cpus) {
    series.push_back({node, "CPU", cpu.values});
    for (const SampledSeries& gpu : gpus)
      if (gpu.node == node) series.push_back({gpu.node, gpu.name, gpu.values});
    for (const SampledSeries& memory : memories)
      if (memory.node == node) series.push_back({memory.node, memory.name + " memory", memory.values});
  }
  Table table = analysis::box_table("use", "CPU, GPU and GPU memory utilization", series);
  table.note = "Based on all samples. The rule uses the 95th percentile of the latest samples.";
  return {std::move(table), analysis::kBoxChart};
}

Outcome evaluate(const RuleInput& input) {
  const auto cpus = cpu_of_nodes(input.facts);
  const auto gpus = sampled_series(input.facts, trace::Metric::gpu_utilisation);
  const auto memories = sampled_series(input.facts, trace::Metric::gpu_memory);
  if (cpus.empty() || gpus.empty() || memories.empty()) return without_metrics("cores, GPUs and GPU memory");
  const std::int64_t patience = input.values.integer(kPatience);
  const auto window = static_cast<std::size_t>(input.values.integer(kWindow));
  const auto needed = std::max(patience, static_cast<std::int64_t>(window));
  const auto longest = std::ranges::max_element(cpus, {}, [](const auto& each) { return each.second.times.size(); });
  const AwsCounts aws = aws_counts(input, gpus, memories, static_cast<std::size_t>(needed), window);
  Outcome outcome{Verdict::no_issues, "CPU, GPU or GPU memory is well utilized.", {}, aws};
  if (static_cast<std::int64_t>(longest->second.times.size()) <= needed) {
    outcome = too_few_samples(longest->second.times.size(), needed, interval_of(longest->second.times));
    outcome.aws = aws;
  }
  outcome.details.push_back(use_table(cpus, gpus, memories));
  AwsCounts counts = counts_of(gpus);
  std::map<std::pair<std::string, std::string>, Place> places;  // by node and GPU, the latest
  double highest = 0;
  for (const auto& [node, cpu] : cpus) {
    for_each_scan(cpu.times, scan_interval(input), [&](std::size_t count) {
      if (static_cast<std::int64_t>(count) <= needed) return;
      const Ns until = cpu.times[count - 1];
      const double cpu_high = high_until(cpu, until, window).first;
      if (cpu_high >= input.values.real("cpu_threshold_p95")) return;
      for (const SampledSeries& gpu : gpus) {
        if (gpu.node != node) continue;
        const Use use = use_of(input, gpu, memory_of(memories, gpu), until, window);
        if (!use.low) continue;
        highest = std::max(highest, use.memory);
        ++counts.triggered;
        places[{node, gpu.name}] =
            place_in(gpu,
                     fmt::format("{} of {}: CPU {:.0f} %, GPU {:.0f} %, GPU memory {:.0f} % (95th percentiles)",
                                 gpu.name, node, cpu_high, use.gpu, use.memory),
                     {cpu.times[count - std::min(count, window)], until + 1});
      }
    });
  }
  counts.violations = counts.triggered;
  outcome.counts = counts;
  if (places.empty()) return outcome;
  outcome.verdict = Verdict::issues_found;
  outcome.why = fmt::format(
      "CPU, GPU and GPU memory are underused for {} of {} GPUs, so a larger batch would fit. GPU memory reaches {:.0f} "
      "%.",
      places.size(), gpus.size(), highest);
  Finding finding{outcome.why, std::string(kAdvice)};
  for (auto& [gpu, place] : places) finding.places.push_back(std::move(place));
  keep_longest(finding.places);
  outcome.findings.push_back(std::move(finding));
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "BatchSize",
    "Batch too small",
    "The 95th percentiles of CPU, GPU and GPU memory utilization are all below 70 %.",
    kParameters,
    evaluate,
    kAdvice,
    "Computes each node's CPU utilization from its own cores; AWS merges the samples of all nodes into one series. "
    "Computes the GPU memory whiskers from GPU memory quartiles; AWS uses a GPU utilization quartile for one of them."};

}  // namespace warpscope::rules::registered::batch_size
