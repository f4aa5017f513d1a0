// RankImbalance: ranks with the same role differ in compute time. LateRank reports a late rank whose kernels are
// slower; this rule reports one that has more work.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/rules/kineto/rank_work.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::rules::registered::rank_imbalance {

namespace {

constexpr std::string_view kRatio = "ratio";
constexpr std::array kParameters{
    share_parameter(),
    analysis::real_parameter(kRatio, "minimum ratio of the largest to the median compute time", "1.1", 1)};

/// GPUs with the same role, by compute time.
struct Role {
  std::vector<GpuWork> gpus;
  [[nodiscard]] const GpuWork& most() const { return gpus.back(); }
  [[nodiscard]] const GpuWork& median() const { return gpus[(gpus.size() - 1) / 2]; }
  [[nodiscard]] Ns excess() const { return most().compute - median().compute; }
};

/// Returns the role with the largest difference in compute time; nullopt if no two GPUs have the same role.
std::optional<Role> most_uneven(const RankWork& work) {
  std::map<std::uint32_t, Role> roles;
  for (const GpuWork& gpu : work.gpus) roles[gpu.role].gpus.push_back(gpu);
  std::optional<Role> uneven;
  for (auto& [number, role] : roles) {
    std::ranges::stable_sort(role.gpus, {}, &GpuWork::compute);
    if (role.gpus.size() > 1 && (!uneven || role.excess() > uneven->excess())) uneven = std::move(role);
  }
  return uneven;
}

Evidence compute_by_gpu(Facts& facts, const Role& role) {
  Evidence evidence{fmt::format("Compute time{}, by rank", facts.steps() > 0 ? " per step" : ""), ColumnKind::duration};
  const std::size_t shown = std::min(kMostBars - 1, role.gpus.size() - 1);
  const auto add = [&](const GpuWork& each, std::string_view note) {
    evidence.bars.push_back({gpu_label(facts, facts.gpus()[each.gpu]).append(note), static_cast<double>(each.compute)});
  };
  for (std::size_t i = 0; i < shown; ++i) add(role.gpus[role.gpus.size() - 1 - i], "");
  add(role.median(), " (median)");
  return evidence;
}

/// Returns a sentence that describes how the rank's work differs.
std::string reason(Facts& facts, const WorkComparison& comparison, Ns excess) {
  const std::string kernel = trace::kernel_label(facts.profile().names().view(comparison.most));
  if (comparison.kind == WorkDifference::slower_gpu)
    return " The same kernels take longer on this rank, so its GPU is slower.";
  if (comparison.only_here > excess / 2)
    return fmt::format(
        " {} of it is spent in kernels that the median rank does not run, mostly {}; this may be by design.",
        format_duration(std::min(excess, comparison.only_here)), kernel);
  return fmt::format(" {} differs most.", kernel);
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  if (facts.gpus().size() < 2) return {Verdict::not_evaluable, "Needs at least two GPUs.", {}};
  const RankWork work = rank_work(facts);
  const std::string partial = partial_words(facts, work.partial);
  if (work.gpus.size() < 2)
    return {Verdict::not_evaluable, "Needs at least two GPUs with complete traces." + partial, {}};
  const auto role = most_uneven(work);
  if (!role)
    return {Verdict::not_evaluable,
            "No ranks run collectives together, so each may have its own role, such as a pipeline stage." + partial,
            {}};
  const GpuWork& most = role->most();
  if (role->median().compute <= 0) return {Verdict::not_evaluable, "Most GPUs run no compute kernels.", {}};
  const double ratio = static_cast<double>(most.compute) / static_cast<double>(role->median().compute);
  const GpuWindow& gpu = facts.gpus()[most.gpu];
  const std::int64_t number = facts.profile().ranks[gpu.rank]->number;
  // All GPUs wait for the one with the most work.
  const Ns cost = role->excess() * static_cast<Ns>(facts.steps() > 0 ? facts.steps() : facts.gpus().size());
  const std::string why = fmt::format("The largest compute time is {:.2f} times the median.{}", ratio, partial);
  if (ratio <= input.values.real(kRatio) || !facts.matters(cost, input.values.real(kShare)))
    return {Verdict::no_issues, why, {}};
  const WorkComparison comparison = compare_work(facts, most, role->median());
  const auto late_rank = std::ranges::find(facts.late, gpu.rank, &Facts::LateRank::rank);
  const bool late = late_rank != facts.late.end();
  if (comparison.kind == WorkDifference::other_work)
    return {Verdict::no_issues,
            fmt::format("Rank {} spends {:.2f} times as long computing as the median rank, but mostly runs different "
                        "kernels, as pipeline stages do.{}",
                        number, ratio, partial),
            {}};
  if (late && (late_rank->explained || comparison.kind == WorkDifference::slower_gpu))
    return {
        Verdict::issues_found,
        fmt::format("Rank {} spends {:.2f} times as long computing as the median rank; see LateRank.", number, ratio),
        {}};
  const bool slower = comparison.kind == WorkDifference::slower_gpu;
  Outcome outcome = judged(
      true,
      {fmt::format(
           "Rank {} computes {} longer{} than the median rank ({:.2f} times as long){}.{}{}", number,
           format_duration(role->excess()), facts.steps() > 0 ? " per step" : "", ratio,
           late ? fmt::format("; waiting for it takes {}, averaged over all GPUs", facts.of_step(late_rank->wait)) : "",
           reason(facts, comparison, role->excess()), partial),
       slower ? "Compare its GPU's clocks, temperature and power limit with those of the others: nvidia-smi -q -d "
                "CLOCK,TEMPERATURE,POWER,PERFORMANCE."
              : "Distribute the work evenly. Check sequence lengths, sharding, packing, and the balance of experts or "
                "pipeline stages.",
       cost,
       cost,
       false,
       {on_gpu(facts, gpu, most.parts.front(), "the rank with the longest compute time")},
       compute_by_gpu(facts, *role)},
      why);
  if (late && facts.late.size() == 1) outcome.replaces = "LateRank";
  return outcome;
}

}  // namespace

extern const Rule kRule{"RankImbalance",
                        "Uneven work",
                        "A GPU's compute time per step exceeds the median of GPUs with the same role by more than 10 "
                        "%. Ranks whose traces end early are excluded.",
                        kParameters,
                        evaluate,
                        "Distribute the work evenly, and compare GPU clock speeds."};

}  // namespace warpscope::rules::registered::rank_imbalance
