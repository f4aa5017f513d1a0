#include "core/analysis/overview/step_split.hpp"

#include <algorithm>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/intervals.hpp"

namespace warpscope::analysis {

namespace {

using Intervals = std::vector<Interval>;
using IntervalsOfUse = std::array<Intervals, kStepUses>;

constexpr std::array<std::string_view, 5> kCommunicationOps{"nccl:", "gloo:", "mpi:", "c10d::", "record_param_comms"};

std::optional<StepUse> use_of(trace::Role role, std::string_view name) {
  const auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  if (role == trace::Role::launch) return StepUse::runtime;
  // Old versions of PyTorch record steps as operators.
  if (starts("ProfilerStep#")) return std::nullopt;
  if (role != trace::Role::op && role != trace::Role::annotation) return std::nullopt;
  if (std::ranges::any_of(kCommunicationOps, starts)) return StepUse::communication;
  if (starts("enumerate(DataLoader)")) return StepUse::data_loader;
  return role == trace::Role::op ? std::optional(StepUse::cpu) : std::nullopt;
}

/// Adds host time by use, before uses with a higher priority are subtracted.
void add_host_times(const AnalysisInput& input, std::uint32_t rank_index, IntervalsOfUse& uses) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  const std::optional<Interval> range = input.scope.on_host(rank_index);
  const RoleOfCategory roles = roles_of_categories(input.profile);
  const StringTable& names = input.profile.names();
  // By role and name; kStepUses: none.
  std::array<std::vector<std::uint8_t>, 3> of_name;
  constexpr std::array kRoles{trace::Role::launch, trace::Role::op, trace::Role::annotation};
  for (std::size_t r = 0; r < kRoles.size(); ++r) {
    of_name[r].resize(names.size());
    for (NameId id = 0; id < names.size(); ++id) {
      const auto use = use_of(kRoles[r], names.view(id));
      of_name[r][id] = use ? static_cast<std::uint8_t>(*use) : kStepUses;
    }
  }
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread) continue;
    for (const std::uint32_t l : recorded_lanes(rank, track)) {
      if (cancelled(input.cancel)) return;
      const trace::Lane& lane = rank.lanes[l];
      for_each_part(lane, range, [&](std::uint32_t i, Interval time) {
        const auto* const role = std::ranges::find(kRoles, roles[lane.category(i)]);
        if (role == kRoles.end()) return;
        const std::uint8_t use = of_name[static_cast<std::size_t>(role - kRoles.begin())][lane.name(i)];
        if (use == kStepUses) return;
        // Slices within a lane are consecutive, so most extend the last interval.
        Intervals& times = uses[use];
        if (!times.empty() && time.begin >= times.back().begin && time.begin <= times.back().end)
          times.back().end = std::max(times.back().end, time.end);
        else
          times.push_back(time);
      });
    }
  }
}

std::optional<Interval> clipped(Interval time, const std::optional<Interval>& range) {
  if (range) time = {std::max(time.begin, range->begin), std::min(time.end, range->end)};
  return time.end > time.begin ? std::optional(time) : std::nullopt;
}

}  // namespace

std::vector<Interval> step_time(const AnalysisInput& input, std::uint32_t rank_index) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  Intervals times;
  for (const trace::Step& step : rank.steps)
    if (const auto time = clipped(step.time, input.scope.on_host(rank_index))) times.push_back(*time);
  if (rank.steps.empty())
    if (const auto time = clipped(rank.span, input.scope.on_host(rank_index))) times.push_back(*time);
  return joined(std::move(times));
}

std::vector<StepSplit> step_splits(const AnalysisInput& input, std::uint32_t rank_index, const GpuRows::Rows& rows) {
  const trace::Rank& rank = *input.profile.ranks[rank_index];
  IntervalsOfUse uses;
  const auto communicates = [](const GpuRow& row) { return row.kind == KernelClass::communication; };
  uses[0] = union_of(rows, [&](const GpuRow& row) { return trace::is_kernel(row.role) && !communicates(row); });
  uses[1] = union_of(rows, [&](const GpuRow& row) { return trace::is_kernel(row.role) && communicates(row); });
  uses[2] = union_of(rows, [](const GpuRow& row) { return row.role == trace::Role::memory_copy; });
  uses[3] = union_of(rows, [](const GpuRow& row) { return row.role == trace::Role::memory_set; });
  add_host_times(input, rank_index, uses);
  std::vector<trace::IntervalTree> sums;
  Intervals taken;
  for (std::size_t use = 0; use + 1 < kStepUses; ++use) {
    Intervals times = joined(std::move(uses[use]));
    Intervals rest = without(times, taken);
    taken.insert(taken.end(), rest.begin(), rest.end());
    taken = joined(std::move(taken));
    sums.push_back(trace::merged_intervals(rest));
  }
  std::vector<StepSplit> splits;
  const auto add = [&](std::string_view name, Interval whole) {
    const auto time = clipped(whole, input.scope.on_host(rank_index));
    if (!time) return;
    StepSplit& split = splits.emplace_back(StepSplit{name, *time});
    Ns rest = time->length();
    for (std::size_t use = 0; use < sums.size(); ++use) {
      split.uses[use] = sums[use].busy(time->begin, time->end);
      rest -= split.uses[use];
    }
    split.uses[kStepUses - 1] = rest;
  };
  for (const trace::Step& step : rank.steps) add(input.profile.names().view(step.name), step.time);
  if (rank.steps.empty()) add("", rank.span);
  return splits;
}

}  // namespace warpscope::analysis
