// GPUMemoryIncrease: GPU memory use jumps. Compares the mean of the latest samples with the mean of those before them,
// as Debugger does: the second mean has one sample fewer and ends two samples earlier.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/format.hpp"
#include "core/rules/sampled_series.hpp"

namespace warpscope::rules::registered::gpu_memory_increase {

namespace {

constexpr std::array kParameters{
    analysis::Parameter{.name = "increase",
                        .about = "increase in percentage points above which an issue is reported",
                        .kind = analysis::ParameterKind::real,
                        .preset = "5",
                        .least = 0,
                        .most = 100,
                        .above_least = true},
    patience_parameter(), window_parameter("10", 2)};
constexpr std::string_view kAdvice =
    "If memory keeps increasing, the job will run out of memory. Look for tensors kept alive across steps (losses "
    "summed without .item(), growing lists), or use a GPU with more memory.";

Outcome evaluate(const RuleInput& input) {
  const auto memories = sampled_series(input.facts, trace::Metric::gpu_memory);
  if (memories.empty()) return without_metrics("GPU memory");
  const std::int64_t patience = input.values.integer(kPatience);
  const auto window = static_cast<std::size_t>(input.values.integer(kWindow));
  const auto most = std::ranges::max_element(memories, {}, [](const SampledSeries& each) { return each.times.size(); });
  Table boxes = analysis::box_table("gpu-memory", "GPU memory in use", named(memories, " memory"));
  std::vector<Detail> details{{std::move(boxes), analysis::kBoxChart}};
  if (static_cast<std::int64_t>(most->times.size()) <= patience) {
    Outcome few = too_few_samples(most->times.size(), patience, interval_of(most->times));
    few.details = std::move(details);
    return few;
  }
  AwsCounts aws = counts_of(memories);
  double largest = 0;
  std::string which;
  const SampledSeries* worst = nullptr;
  std::vector<Place> places;
  for (const SampledSeries& memory : memories) {
    std::vector<double> sums(memory.values.size() + 1);  // prefix sums
    std::partial_sum(memory.values.begin(), memory.values.end(), sums.begin() + 1);
    for (std::size_t n = window + 2; n <= memory.values.size(); ++n) {
      if (static_cast<std::int64_t>(n) <= patience) continue;
      const double latest = (sums[n] - sums[n - window]) / static_cast<double>(window);
      const double before = (sums[n - 2] - sums[n - window - 1]) / static_cast<double>(window - 1);
      const double increase = latest - before;
      if (increase <= input.values.real("increase")) continue;
      ++aws.triggered;
      const std::string name = fmt::format("{} of {}", memory.name, memory.node);
      const Interval time{memory.times[n - window - 1], memory.times[n - 1] + 1};
      if (places.empty() || places.back().time.end < time.begin)
        places.push_back(place_in(memory, name + fmt::format(": + {:.1f} points", increase), time));
      else
        places.back().time.end = time.end;
      if (increase <= largest) continue;
      largest = increase;
      which = name;
      worst = &memory;
    }
  }
  aws.violations = aws.triggered;
  Outcome outcome{Verdict::no_issues, "GPU memory use does not increase sharply.", {}, aws};
  outcome.details = std::move(details);
  if (aws.triggered == 0) return outcome;
  outcome.verdict = Verdict::issues_found;
  outcome.why = fmt::format("GPU memory use increases by {:.1f} percentage points within {} samples on {}.", largest,
                            window, which);
  keep_longest(places);
  outcome.findings.push_back({outcome.why, std::string(kAdvice), 0, 0, false, std::move(places),
                              samples_of(input.facts, "Memory in use on " + which, *worst)});
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "GPUMemoryIncrease",
    "GPU memory increases",
    "The mean of the latest GPU memory samples exceeds the previous mean by more than 5 percentage points. The window "
    "is the number of samples averaged, as in the AWS service; the AWS documentation defines it differently.",
    kParameters,
    evaluate,
    kAdvice};

}  // namespace warpscope::rules::registered::gpu_memory_increase
