#include "core/analysis/causes/job_faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/counted.hpp"
#include "core/base/threads/parallel_for.hpp"
#include "core/base/word_at.hpp"
#include "core/trace/missing_ranks.hpp"

namespace warpscope::analysis {

namespace {

constexpr Ns kLeastSaving = 50'000;  // per step
constexpr double kNoise = 0.03;      // of the step: single steps of a healthy rank differ by this much

/// The order in which faults are fixed: those with a remedy at one place, waits, other limits of the job.
int tier_of(FaultKind kind) {
  if (kind < FaultKind::waits) return 0;
  return kind == FaultKind::waits ? 1 : 2;
}

Ns worth(const Fault& fault) { return std::max(fault.saving, fault.most); }

/// A launch that is late because its host waits for a heavy stage is the stage's cost, which `most` of the stage has.
void credit_stages(std::vector<Fault>& faults, Ns least) {
  const auto launches = std::ranges::find(faults, FaultKind::launches, &Fault::kind);
  if (launches == faults.end()) return;
  for (const Fault& fault : faults) launches->saving -= std::max<Ns>(0, fault.most - fault.saving);
  if (launches->saving < least) faults.erase(launches);
}

/// A stage that waits for data from another rank may launch its work only then, which looks like a slow host.
void add_ranges(const JobModel& model, std::vector<Fault>& faults) {
  const auto launches = std::ranges::find(faults, FaultKind::launches, &Fault::kind);
  if (launches == faults.end()) return;
  Ns without = -1;
  for (Fault& fault : faults) {
    if (fault.kind != FaultKind::heavy_stage) continue;
    if (without < 0) without = model.step_time(std::array<const ReplayChange*, 1>{&launches->change});
    fault.most = without - model.step_time(std::array<const ReplayChange*, 2>{&launches->change, &fault.change});
  }
}

}  // namespace

std::string too_few_kernels(std::size_t kernels) {
  if (kernels >= kLeastKernels) return "";
  return fmt::format("{} recorded; at least {} are needed. Record a few steps.", counted(kernels, "kernel", "kernels"),
                     kLeastKernels);
}

std::string_view to_string(FaultKind kind) {
  static constexpr std::array<std::string_view, kFaultKinds> kWords{
      "slow_gpu",       "slow_steps", "heavy_stage", "data_loader",  "compilation", "allocation",
      "collection",     "checkpoint", "pauses",      "slow_host",    "callbacks",   "slow_group",
      "slow_transfers", "waits",      "launches",    "communication"};
  return word_at(kWords, kind);
}

JobFaults find_faults(const AnalysisInput& input, JobModel& model, const LeastShares& least) {
  std::vector<Fault> all = fault_candidates(input, model);
  JobFaults found{
      .step_time = model.step_time(), .steps = model.steps(), .by_steps = model.by_steps(), .broken = model.broken()};
  if (cancelled(input.cancel)) return found;
  add_ranges(model, all);
  std::vector<const ReplayChange*> applied;
  Ns now = found.step_time;
  std::vector<Fault> chosen;
  chosen.reserve(all.size());  // `applied` points into it
  const auto refresh = [&](Fault& fault) {
    std::vector<const ReplayChange*> changes = applied;
    changes.push_back(&fault.change);
    fault.saving = now - model.step_time(changes);
  };
  for (const int tier : {0, 1, 2}) {
    const bool limits = tier > 0;
    std::vector<Fault> rest;
    for (Fault& fault : all)
      if (tier_of(fault.kind) == tier) rest.push_back(std::move(fault));
    std::erase_if(all, [&](const Fault& fault) { return tier_of(fault.kind) == tier; });
    const auto refresh_all = [&] {
      parallel_for(rest.size(), analysis_threads(), [&](std::size_t i) {
        if (!cancelled(input.cancel)) refresh(rest[i]);
      });
    };
    refresh_all();
    bool first = true;
    const auto counts = [&](const Fault& fault) {
      const double share = least[static_cast<std::size_t>(fault.kind)];
      return worth(fault) >= std::max(kLeastSaving, static_cast<Ns>(share * static_cast<double>(found.step_time)));
    };
    const auto noise = static_cast<Ns>(kNoise * static_cast<double>(found.step_time));
    std::erase_if(rest,
                  [&](const Fault& fault) { return fault.kind == FaultKind::slow_steps && worth(fault) < noise; });
    while (!rest.empty()) {
      if (cancelled(input.cancel)) return found;
      // Savings mostly shrink as others are fixed, so the first whose new saving is still the largest is chosen.
      std::ranges::stable_sort(rest, std::greater(), worth);
      // Limits of the job may also save more when others are fixed.
      if (!first && limits) refresh_all();
      for (std::size_t i = 0; !first && !limits && i < rest.size(); ++i) {
        refresh(rest[i]);
        if (i + 1 == rest.size() || worth(rest[i + 1]) <= worth(rest[i])) break;
      }
      std::ranges::stable_sort(rest, std::greater(), worth);
      first = false;
      const auto next = limits ? std::ranges::find_if(rest, counts) : rest.begin();
      if (next == rest.end()) break;
      if (!counts(*next)) {
        rest.erase(next);
        continue;
      }
      chosen.push_back(std::move(*next));
      rest.erase(next);
      now -= chosen.back().saving;
      applied.push_back(&chosen.back().change);
    }
  }
  parallel_for(chosen.size(), analysis_threads(), [&](std::size_t i) {
    chosen[i].alone = i == 0 ? chosen[i].saving
                             : found.step_time - model.step_time(std::array<const ReplayChange*, 1>{&chosen[i].change});
  });
  constexpr auto kLaunches = static_cast<std::size_t>(FaultKind::launches);
  credit_stages(chosen,
                std::max(kLeastSaving, static_cast<Ns>(least[kLaunches] * static_cast<double>(found.step_time))));
  const bool alone = trace::missing_ranks(input.profile).count > 0;
  found.fixed_step_time = found.step_time;
  for (Fault& fault : chosen) {
    const bool waits = fault.kind == FaultKind::communication || fault.kind == FaultKind::slow_transfers;
    fault.low = alone && waits ? 0 : fault.saving;
    found.fixed_step_time -= worth(fault);
    fault.step_time = found.fixed_step_time;
  }
  found.faults = std::move(chosen);
  return found;
}

std::shared_ptr<const JobFaults> shared_faults(const AnalysisInput& input, const ChainVisitor& visit,
                                               const LeastShares& least) {
  const auto make = [&] {
    const auto comparison = compare_ranks(input);
    const JobRuns runs(input, *comparison, ClockChoice::aligned, HostRule::thread, Unmatched::if_all);
    if (cancelled(input.cancel)) return JobFaults();
    std::size_t kernels = 0;
    for (std::uint32_t r = 0; r < runs.ranks(); ++r)
      kernels += static_cast<std::size_t>(std::ranges::count_if(runs.of(r).runs(), [](const RankRun& run) {
        return run.kind == RunKind::kernel || run.kind == RunKind::communication;
      }));
    if (std::string reason = too_few_kernels(kernels); !reason.empty()) return JobFaults{.reason = std::move(reason)};
    JobModel model(input, runs, visit);
    JobFaults faults = find_faults(input, model, least);
    if (faults.step_time <= 0) faults.reason = "The recording has no launches in the evaluated steps to replay.";
    for (Fault& fault : faults.faults) fault.change = {};
    return faults;
  };
  const std::string key = fmt::format("job faults {} {} {}", fmt::join(input.scope.ranks, ","),
                                      input.values.text(kKernelClassParameter.name), fmt::join(least, ","));
  return get_shared(input.shared, key, input.cancel, make, [](const JobFaults& faults) {
    return sizeof(JobFaults) + faults.faults.size() * 1024;  // places and names
  });
}

}  // namespace warpscope::analysis
