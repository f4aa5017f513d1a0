// RankImbalance: ranks with the same role compute for different times.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::rank_imbalance {

namespace {

constexpr std::string_view kRatio = "ratio";
constexpr std::array kParameters{share_parameter(),
                                 analysis::Parameter{.name = kRatio,
                                                     .about = "minimum ratio of the largest to the median compute time",
                                                     .kind = analysis::ParameterKind::real,
                                                     .preset = "1.1",
                                                     .least = 1}};

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  if (facts.gpus().size() < 2) return {Verdict::not_evaluable, "Needs at least two GPUs.", {}};
  struct Computed {
    Ns time = 0;
    std::size_t gpu = 0;
  };
  std::vector<Computed> all;
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g) {
    const GpuWindow& gpu = facts.gpus()[g];
    const auto rows = facts.rows(gpu.rank);
    const auto compute = analysis::union_of(*rows, [&](const analysis::GpuRow& row) {
      return row.device == gpu.device && row.kind == analysis::KernelClass::computation;
    });
    all.push_back({analysis::common_length(gpu.parts, compute), g});
  }
  std::ranges::sort(all, {}, &Computed::time);
  const Ns median = all[(all.size() - 1) / 2].time;
  const Computed most = all.back();
  if (median <= 0) return {Verdict::not_evaluable, "Most GPUs do not compute.", {}};
  const double ratio = static_cast<double>(most.time) / static_cast<double>(median);
  // All GPUs wait for the one with the most work.
  const Ns excess = most.time - median;
  const Ns cost = excess * static_cast<Ns>(all.size());
  const GpuWindow& gpu = facts.gpus()[most.gpu];
  const trace::Rank& rank = *facts.profile().ranks[gpu.rank];
  const auto steps = static_cast<Ns>(std::max<std::size_t>(1, gpu.steps));
  if (ratio > input.values.real(kRatio) && facts.late_rank == gpu.rank)
    return {Verdict::issues_found,
            fmt::format("Rank {} computes {:.2f} times as long as the median rank: see LateRank.", rank.number, ratio),
            {}};
  const auto compute_by_gpu = [&] {
    Evidence evidence{fmt::format("Compute time{}, by rank", gpu.steps > 0 ? " a step" : ""), ColumnKind::duration};
    const std::size_t shown = std::min(kMostBars - 1, all.size() - 1);
    const auto add = [&](const Computed& each, std::string_view note) {
      const GpuWindow& of = facts.gpus()[each.gpu];
      evidence.bars.push_back(
          {gpu_label(facts, of).append(note),
           static_cast<double>(each.time) / static_cast<double>(std::max<std::size_t>(1, of.steps))});
    };
    for (std::size_t i = 0; i < shown; ++i) add(all[all.size() - 1 - i], "");
    add(all[(all.size() - 1) / 2], " (median)");
    return evidence;
  };
  return judged(ratio > input.values.real(kRatio) && facts.matters(cost, input.values.real(kShare)),
                {fmt::format("Rank {} computes for {}{} longer than the median rank ({:.2f} times as long).",
                             rank.number, format_duration(excess / steps), gpu.steps > 0 ? " a step" : "", ratio),
                 "Distribute the work evenly: sequence lengths, sharding, packing, the balance of experts or pipeline "
                 "stages.",
                 cost,
                 cost,
                 false,
                 {on_gpu(facts, gpu, gpu.parts.front(), "the rank that computes longest")},
                 compute_by_gpu()},
                fmt::format("The largest compute time is {:.2f} times the median.", ratio));
}

}  // namespace

extern const Rule kRule;
const Rule kRule{"RankImbalance", "Uneven work",
                 "The compute time of one GPU exceeds the median of all by more than a tenth.", kParameters, evaluate};

}  // namespace warpscope::rules::registered::rank_imbalance
