// StepOutlier: individual steps that take much longer than the others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/threads/parallel_for.hpp"
#include "core/rules/kineto/fault_rule.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/rules/rule_details.hpp"
#include "core/rules/sagemaker/host_steps.hpp"
#include "core/rules/sampled_series.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::rules::registered::step_outlier {

namespace {

constexpr std::string_view kExcess = "excess";
constexpr std::string_view kDeviations = "stddev";
constexpr std::array kParameters{
    analysis::Parameter{.name = kDeviations,
                        .about = "minimum number of robust standard deviations above the median",
                        .kind = analysis::ParameterKind::real,
                        .preset = "3",
                        .least = 0,
                        .above_least = true},
    analysis::real_parameter(kExcess, "minimum excess over the median, as a fraction of the median", "0.1"),
    analysis::Parameter{.name = "n_outliers",
                        .about = "number of outliers that AWS's rule tolerates, with --aws",
                        .kind = analysis::ParameterKind::integer,
                        .preset = "10",
                        .least = 1},
    analysis::text_parameter("mode", "evaluate only steps whose names contain this string, such as TRAIN or EVAL"),
    scan_parameter()};
constexpr std::size_t kLeastSteps = 5;
constexpr std::size_t kMostTables = 9;  // the statistics, and up to eight histograms of nodes and phases
constexpr double kNormalSpread = 1.4826;
constexpr double kExplains = 0.5;  // of the excess, for a name to be mentioned

/// Steps of a rank that are compared with each other: those of a GPU, or those of one phase of the host.
struct Series {
  std::uint32_t rank = 0;
  std::vector<Interval> steps;
  std::vector<NameId> names;              ///< of the steps
  const GpuWindow* gpu = nullptr;         ///< null: steps of the host
  std::optional<trace::Step> left_out{};  ///< the first step of the host, excluded as warm-up
};

/// Sorted by name.
using TimeByName = std::vector<std::pair<NameId, Ns>>;

/// Adds up the times of each name.
TimeByName summed(TimeByName times) {
  std::ranges::sort(times, {}, &std::pair<NameId, Ns>::first);
  std::size_t last = 0;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (times[i].first == times[last].first)
      times[last].second += times[i].second;
    else
      times[++last] = times[i];
  times.resize(std::min(times.size(), last + 1));
  return times;
}

/// Returns the time in a step by name: host work on the way to launches (or, without a GPU, self time of all calls),
/// and GPU activity. Excludes communication, which takes longer on the ranks that wait for the slow one.
TimeByName time_by_name(Facts& facts, const Series& series, std::size_t at) {
  TimeByName times;
  const trace::Rank& rank = *facts.profile().ranks[series.rank];
  const Interval& step = series.steps[at];
  if (series.gpu == nullptr) {
    const auto tree = facts.tree(series.rank);
    tree->for_each_downward([&](trace::SliceOrdinal call, trace::SliceOrdinal parent) {
      const Ns begin = rank.begin(call);
      if (begin < step.begin || begin >= step.end) return;
      const Ns length = std::min(rank.duration(call), step.end - begin);
      times.emplace_back(rank.name(call), length);
      if (parent != analysis::CallTree::kNone && rank.begin(parent) >= step.begin)
        times.emplace_back(rank.name(parent), -length);
    });
    return summed(std::move(times));
  }
  facts.chain(series.rank, step).for_each(step, [&](const analysis::HostPiece& piece) {
    if (piece.call != analysis::HostPiece::kNoCall) times.emplace_back(rank.name(piece.call), piece.time.length());
  });
  const auto rows = facts.rows(series.rank);
  for (auto row = std::ranges::lower_bound(*rows, step.begin, {},
                                           [](const analysis::GpuRow& each) { return each.time.begin; });
       row != rows->end() && row->time.begin < step.end; ++row)
    if (row->device == series.gpu->device && row->kind != analysis::KernelClass::communication)
      times.emplace_back(row->name, row->time.length());
  return summed(std::move(times));
}

struct Difference {
  NameId name = 0;
  Ns time = 0;
};

std::vector<Series> series_of(Facts& facts, const std::vector<StepPhase>& phases) {
  std::vector<Series> all;
  if (facts.by_steps())
    for (const GpuWindow& gpu : facts.gpus()) {
      Series series{.rank = gpu.rank, .steps = gpu.parts, .names = {}, .gpu = &gpu};
      const auto& steps = facts.profile().ranks[gpu.rank]->steps;
      for (std::size_t s = 0; s < gpu.parts.size(); ++s) series.names.push_back(steps[gpu.first_step + s].name);
      all.push_back(std::move(series));
    }
  for (const StepPhase& phase : phases) {
    if (std::ranges::any_of(facts.gpus(), [&](const GpuWindow& gpu) { return gpu.rank == phase.rank; })) continue;
    Series series{.rank = phase.rank, .steps = {}, .names = {}};
    // The first step includes warm-up and is excluded, as in the evaluated time of GPUs.
    const bool warm_up = phase.steps.size() >= kLeastSteps;
    if (warm_up) series.left_out = phase.steps.front();
    for (std::size_t s = warm_up ? 1 : 0; s < phase.steps.size(); ++s) {
      series.steps.push_back(phase.steps[s].time);
      series.names.push_back(phase.steps[s].name);
    }
    all.push_back(std::move(series));
  }
  return all;
}

/// Returns the name whose time most exceeds `before`, its time in a normal step. Ignores waits for the GPU.
/// `steps`: the names of the steps themselves, which do not explain their lengths.
Difference largest_difference(Facts& facts, const Series& series, std::size_t step, const TimeByName& before,
                              const std::set<NameId>& steps) {
  Difference most;
  auto other = before.begin();
  for (const auto& [name, time] : time_by_name(facts, series, step)) {
    while (other != before.end() && other->first < name) ++other;
    const Ns more = time - (other == before.end() || other->first != name ? 0 : other->second);
    if (more <= most.time || steps.contains(name) || analysis::is_wait(facts.profile().names().view(name))) continue;
    most = {name, more};
  }
  return most;
}

/// Returns the durations of the steps as a chart; if there are too many, of those around `worst`.
Evidence lengths_of_steps(Facts& facts, const Series& series, Interval worst) {
  Evidence evidence{fmt::format("Step durations of rank {}", facts.profile().ranks[series.rank]->number),
                    ColumnKind::duration, Evidence::Form::columns};
  const auto at =
      static_cast<std::size_t>(std::ranges::find(series.steps, worst.begin, &Interval::begin) - series.steps.begin());
  const std::size_t count = std::min(series.steps.size(), kMostColumns);
  const std::size_t first = std::min(at - std::min(at, count / 2), series.steps.size() - count);
  for (std::size_t s = first; s < first + count; ++s)
    evidence.bars.push_back(
        {std::string(facts.profile().names().view(series.names[s])), static_cast<double>(series.steps[s].length())});
  return evidence;
}

/// True for work that is slow by design.
bool is_expected(std::string_view name) {
  for (const std::string_view part : {"checkpoint", "save", "eval", "valid"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

Outcome evaluate_steps(const RuleInput& input) {
  Facts& facts = input.facts;
  const auto phases = step_phases(facts, input.values.text("mode"));
  const AwsCounts aws = step_outlier_counts(phases, input.values.real(kDeviations), input.values.integer("n_outliers"),
                                            scan_interval(input));
  const std::vector<Series> all = series_of(facts, phases);
  if (all.empty()) {
    const std::string reason = facts.no_steps_reason();
    return {Verdict::not_evaluable,
            reason.empty() ? "No steps in the evaluated time."
                           : fmt::format("The evaluated time is not divided into steps, because {}.", reason),
            {},
            aws};
  }
  /// A step that is an outlier on some ranks, and the rank on which a call or kernel takes much longer.
  struct Slow {
    std::uint32_t rank = 0;
    Interval time;
    Ns excess = 0;
    Ns median = 0;
    Difference difference{};
    const Series* series = nullptr;
    Ns sum = 0;  // of the excess on all GPUs
  };
  std::map<std::string, Slow> slow;  // by step name
  Slow first;                        // the first step with the largest excess over the median of the others
  Ns cost = 0;
  bool enough = false;
  struct Outlier {
    const Series* series = nullptr;
    std::size_t step = 0;
    Ns median = 0;
    Difference difference{};
  };
  struct OutliersOfSeries {
    std::size_t usual = 0;  ///< a normal step
    std::size_t first = 0;  ///< index into `outliers`
    std::size_t last = 0;
  };
  std::vector<Outlier> outliers;
  std::vector<OutliersOfSeries> by_series;
  for (const Series& series : all) {
    if (series.steps.size() < kLeastSteps) continue;
    enough = true;
    std::vector<Ns> lengths;
    for (const Interval& step : series.steps) lengths.push_back(step.length());
    const Ns median = analysis::upper_median(lengths);
    std::vector<Ns> deviations;
    for (const Ns length : lengths) deviations.push_back(std::abs(length - median));
    const double limit =
        static_cast<double>(median) + std::max(input.values.real(kDeviations) * kNormalSpread *
                                                   static_cast<double>(analysis::upper_median(deviations)),
                                               input.values.real(kExcess) * static_cast<double>(median));
    const auto usual = std::ranges::min_element(series.steps, {},
                                                [&](const Interval& step) { return std::abs(step.length() - median); });
    if (series.left_out && series.left_out->time.length() - median > first.excess)
      first = {series.rank, series.left_out->time, series.left_out->time.length() - median, median, {}, &series};
    const std::size_t before = outliers.size();
    for (std::size_t s = 0; s < series.steps.size(); ++s)
      if (static_cast<double>(series.steps[s].length()) > limit) outliers.push_back({&series, s, median});
    if (outliers.size() > before)
      by_series.push_back({static_cast<std::size_t>(usual - series.steps.begin()), before, outliers.size()});
  }
  parallel_for(by_series.size(), analysis::analysis_threads(), [&](std::size_t i) {
    if (facts.cancelled()) return;
    const OutliersOfSeries& own = by_series[i];
    const Series& series = *outliers[own.first].series;
    const TimeByName usual = time_by_name(facts, series, own.usual);
    std::set<NameId> steps(series.names.begin(), series.names.end());
    for (const trace::Step& each : facts.profile().ranks[series.rank]->steps) steps.insert(each.name);
    for (std::size_t o = own.first; o < own.last; ++o)
      outliers[o].difference = largest_difference(facts, series, outliers[o].step, usual, steps);
  });
  for (const Outlier& outlier : outliers) {
    const Series& series = *outlier.series;
    const Interval& step = series.steps[outlier.step];
    const Ns excess = step.length() - outlier.median;
    Slow& known = slow[std::string(facts.profile().names().view(series.names[outlier.step]))];
    const Ns sum = saturating_add(known.sum, series.gpu != nullptr ? excess : 0);
    if (known.excess == 0 || outlier.difference.time > known.difference.time)
      known = {series.rank, step, excess, outlier.median, outlier.difference, &series};
    known.sum = sum;
  }
  std::erase_if(
      slow, [&](const auto& each) { return is_expected(facts.profile().names().view(each.second.difference.name)); });
  for (const auto& [label, step] : slow) cost = saturating_add(cost, step.sum);
  if (!enough)
    return {
        Verdict::insufficient_data, fmt::format("Needs at least {} evaluated steps per rank.", kLeastSteps), {}, aws};
  const std::string left_out =
      first.series == nullptr
          ? std::string()
          : fmt::format(" The first step of each phase is excluded as warm-up: {} takes {}; the median is {}.",
                        facts.profile().names().view(first.series->left_out->name),
                        format_duration(first.time.length()), format_duration(first.median));
  if (slow.empty())
    return {Verdict::no_issues, "All steps take about as long as their rank's median step." + left_out, {}, aws};
  std::vector<Place> places;
  for (const auto& [label, step] : slow)
    places.push_back({label, step.rank, std::nullopt, step.time, std::nullopt, step.excess});
  const auto worst = std::ranges::max_element(slow, {}, [](const auto& each) { return each.second.excess; });
  const Slow& step = worst->second;
  std::string sentence = fmt::format("{} takes {} longer than the median of {}", worst->first,
                                     format_duration(step.excess), format_duration(step.median));
  if (static_cast<double>(step.difference.time) >= kExplains * static_cast<double>(step.excess))
    sentence += fmt::format("; on rank {}, {} takes {} longer", facts.profile().ranks[step.rank]->number,
                            trace::kernel_label(facts.profile().names().view(step.difference.name)),
                            format_duration(step.difference.time));
  const std::string count = counted(slow.size(), "outlier step", "outlier steps");
  Outcome outcome = judged(true,
                           {sentence + (slow.size() > 1 ? fmt::format(" ({}).", count) : "."), "", cost, cost, false,
                            std::move(places), lengths_of_steps(facts, *step.series, step.time)},
                           count + "." + left_out);
  outcome.aws = aws;
  return outcome;
}

/// True for causes that may make single steps slow.
bool explains_steps(analysis::FaultKind kind) {
  using enum analysis::FaultKind;
  return kind == slow_steps || (kind >= data_loader && kind <= pauses) || kind == slow_transfers;
}

Outcome evaluate(const RuleInput& input) {
  Outcome outcome = evaluate_steps(input);
  // What a replay attributes to a cause is that cause's finding.
  if (!outcome.findings.empty() && !input.facts.gpus().empty())
    for (const analysis::Fault& fault : input.facts.faults().faults) {
      const std::string_view rule = rule_of(fault.kind);
      if (!explains_steps(fault.kind) || std::ranges::find(input.fired, rule) == input.fired.end()) continue;
      outcome.findings.front().explained_by = rule;
      outcome.findings.front().saving = 0;
      break;
    }
  const auto outliers =
      static_cast<std::int64_t>(outcome.findings.empty() ? 0 : outcome.findings.front().places.size());
  outcome.counts = AwsCounts{outliers > 0 ? 1 : 0, outliers, outcome.aws ? outcome.aws->datapoints : 0};
  outcome.details = details_from(input.facts, "steps_by_phase", kMostTables);
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "StepOutlier",
    "Outlier steps",
    "Steps that exceed their rank's median by more than 10 % and by more than three robust standard deviations.",
    kParameters,
    evaluate,
    "Compare the step with a normal one in the Timeline. Typical causes: garbage collection, data loader worker "
    "restarts, memory allocated through the driver, compilation for a new shape.",
    "Uses the median and the median absolute deviation, which are robust to outliers; AWS uses the mean and the "
    "standard deviation. Five steps are enough; AWS needs more than 100. Training and evaluation steps are judged "
    "separately; AWS's report keeps only the last phase. AWS recounts all outliers in each interval."};

}  // namespace warpscope::rules::registered::step_outlier
