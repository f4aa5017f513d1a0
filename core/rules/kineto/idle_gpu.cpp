// IdleGpu: total idle time, by cause. The savings cover only idle time that no other rule explains.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/format.hpp"
#include "core/rules/account.hpp"
#include "core/rules/kineto/idle_code.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::idle_gpu {

namespace {

constexpr std::array kParameters{share_parameter("0.15")};
constexpr std::size_t kMostCauses = 3;

/// Idle time by cause, except the profiler's own work.
constexpr auto kIdle = [] {
  std::array<analysis::TimeLabel, analysis::kTimeLabels - 1 - analysis::kFirstIdle> labels{};
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<analysis::TimeLabel>(analysis::kFirstIdle + i);
  return labels;
}();

/// Returns a table of each GPU's idle time by cause, with fractions of its evaluated time.
Detail causes_table(Facts& facts) {
  Table table("idle-by-cause", "Idle time of each GPU, by cause",
              {{"GPU", "", ColumnRole::name},
               {"cause", "", ColumnRole::kind},
               {"time", "", ColumnKind::duration},
               {"share", "", ColumnRole::share}});
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g)
    for (const analysis::TimeLabel label : kIdle) {
      const Ns time = facts.account(g).time(label);
      table.add_row({gpu_label(facts, facts.gpus()[g]), Cell(analysis::words_of(label).words, label), time,
                     static_cast<double>(time) / static_cast<double>(std::max<Ns>(1, facts.gpus()[g].length()))});
    }
  return {std::move(table),
          {.table = {}, .kind = analysis::ChartKind::rows, .x = ColumnRole::kind, .y = ColumnRole::share}};
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  analysis::LabelTimes times{};
  std::vector<Place> places;
  Ns idle = 0;
  Ns profiler = 0;  // idle time during the profiler's own work
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g) {
    const GpuWindow& gpu = facts.gpus()[g];
    const Ns rest = gpu.length() - analysis::common_length(gpu.parts, gpu.busy);
    idle = saturating_add(idle, rest);
    profiler = saturating_add(profiler, rest - analysis::total_length(gpu.idle));
    analysis::add(times, facts.account(g).times);
    const Ns least = places.size() < kMostPlaces ? 0 : places.back().time.length();  // longest first
    for (const Interval& time : gpu.idle)
      if (time.length() > least) places.push_back(on_gpu(facts, gpu, time, "GPU idle"));
    keep_longest(places);
  }
  const auto time_of = [&](analysis::TimeLabel label) { return times[static_cast<std::size_t>(label)]; };
  auto order = kIdle;
  std::ranges::stable_sort(order, std::greater(), time_of);
  std::string title = fmt::format("Idle time{}, by cause", facts.by_steps() ? " per step" : "");
  std::vector<Evidence::Bar> bars;
  std::string causes;
  Ns unexplained = idle - profiler;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string words(analysis::words_of(order[i]).words);
    const Ns time = time_of(order[i]);
    bars.push_back({words, static_cast<double>(facts.mean(time))});
    if (std::ranges::find(input.fired, rule_of(order[i])) != input.fired.end()) unexplained -= time;
    if (i >= kMostCauses || time <= 0) continue;
    causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", words,
                          format_share(static_cast<double>(time) / static_cast<double>(std::max<Ns>(idle, 1))));
  }
  const bool explained = std::ranges::find(input.fired, rule_of(order.front())) != input.fired.end();
  if (explained && facts.share(unexplained) < input.values.real(kShare)) unexplained = 0;
  const std::string share = format_share(facts.share(idle));
  const bool fires = facts.matters(idle, input.values.real(kShare));
  IdleCode code;
  if (fires)
    code = idle_code(
        facts, [&](std::size_t g) -> const auto& { return facts.gpus()[g].idle; });
  code.add_places(places);
  Outcome outcome = judged(
      fires,
      {.headline = fmt::format("{} idle for {} of the evaluated time, {}.", by_gpus(facts, "The GPU is", "GPUs are"),
                               share, facts.of_step(idle)),
       .advice = {},
       .cost = idle,
       .saving = unexplained,
       .places = std::move(places),
       .evidence = largest_bars(std::move(title), ColumnKind::duration, std::move(bars)),
       .explained_by = explained ? rule_of(order.front()) : "",
       .evidence_lines = {fmt::format("Causes: {}{}.", causes, code.clause("of the idle time is in")),
                          fmt::format(
                              "This saving is an upper bound{}.",
                              input.fired.empty() ? "" : ": fixing the other findings may already save all of it")}},
      fmt::format("{} idle for {} ({}).", by_gpus(facts, "The GPU is", "GPUs are"), facts.a_step(idle), share));
  outcome.details.push_back(causes_table(facts));
  return outcome;
}

}  // namespace

extern const Rule kRule{
    "IdleGpu",
    "Idle GPUs",
    "Evaluated time without GPU activity, by cause. The savings exclude causes reported by other rules.",
    kParameters,
    evaluate,
    "Fix the findings that explain the idle time first; the saving here does not count their time again. A step's "
    "critical path shows what the GPU waits for."};

}  // namespace warpscope::rules::registered::idle_gpu
