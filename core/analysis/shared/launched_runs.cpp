#include "core/analysis/shared/launched_runs.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "core/analysis/request/runs.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {
namespace {

constexpr std::array<std::string_view, 5> kStatisticsCalls{"cudaLaunchKernel", "cudaLaunchKernelExC",
                                                           "runFunction - job_prep_and_submit_for_execution",
                                                           "cudaMemcpyAsync", "cudaMemsetAsync"};
constexpr std::size_t kKernelCalls = 3;  // the first of them
constexpr std::array<std::string_view, 12> kQueueCalls{"cudaLaunchKernel",
                                                       "cudaLaunchKernelExC",
                                                       "cuLaunchKernel",
                                                       "cuLaunchKernelEx",
                                                       "cudaMemcpyAsync",
                                                       "cudaMemsetAsync",
                                                       "runFunction - job_prep_and_submit_for_execution",
                                                       "hipLaunchKernel",
                                                       "hipExtModuleLaunchKernel",
                                                       "hipMemsetAsync",
                                                       "hipMemcpyAsync",
                                                       "hipMemcpyWithStream"};

std::span<const std::string_view> names_of(LaunchCalls calls) {
  if (calls == LaunchCalls::hta_queues) return kQueueCalls;
  return std::span(kStatisticsCalls)
      .first(calls == LaunchCalls::hta_statistics ? kStatisticsCalls.size() : kKernelCalls);
}

}  // namespace

LaunchedRuns::LaunchedRuns(const trace::Profile& profile, const Scope& scope, const KernelClasses::Choice& choice,
                           LaunchCalls calls, const CancelToken* cancel, SharedResults* shared)
    : profile_(profile), calls_(calls), rows_(profile, {scope.ranks, {}}, choice, cancel, shared) {
  if (calls == LaunchCalls::all) return;
  const std::span<const std::string_view> known = names_of(calls);
  std::vector<char>& counts = counts_.emplace(profile.names().size(), char{0});
  for (NameId id = 0; id < counts.size(); ++id)
    counts[id] = std::ranges::find(known, profile.names().view(id)) != known.end() ? 1 : 0;
}

std::shared_ptr<const GpuRows::Rows> LaunchedRuns::of(std::uint32_t rank) const {
  return derived(
      "launched rows", rank, [&] { return rows_of_rank(rank); }, bytes_of_rows);
}

GpuRows::Rows LaunchedRuns::rows_of_rank(std::uint32_t rank) const {
  const trace::Rank& of = *profile_.ranks[rank];
  const auto counts = [&](const GpuRow& row) {
    if (!row.launch || !trace::is_run(row.role)) return false;
    const trace::SlicePlace place = of.locate(*row.launch);
    if (counts_ && (*counts_)[of.lanes[place.lane].name(place.index)] == 0) return false;
    return of.rows_of(place.lane) != trace::LaneKind::damaged;
  };
  GpuRows::Rows rows;
  const std::shared_ptr<const GpuRows::Rows> all = rows_.of(rank);
  rows.reserve(all->size());
  std::ranges::copy_if(*all, std::back_inserter(rows), counts);
  natural_merge_sort(rows, [](const GpuRow& a, const GpuRow& b) {
    return std::tuple(*a.launch, a.track, a.time.begin, a.slice) <
           std::tuple(*b.launch, b.track, b.time.begin, b.slice);
  });
  return rows;
}

Interval LaunchedRuns::call(std::uint32_t rank, const GpuRow& row) const { return *rows_.launch_time(rank, row); }

NameId LaunchedRuns::call_name(std::uint32_t rank, const GpuRow& row) const {
  return profile_.ranks[rank]->name(*row.launch);
}

std::string without_launches_note(const trace::Profile& profile, const std::vector<std::uint32_t>& ranks) {
  const bool ran = std::ranges::any_of(ranks, [&](std::uint32_t r) { return profile.ranks[r]->counts.runs > 0; });
  const bool launched =
      std::ranges::any_of(ranks, [&](std::uint32_t r) { return profile.ranks[r]->launches.size() > 0; });
  if (!ran) return without_runs_note(ranks.size(), ranks.size());
  return launched ? "No launches to analyze in this selection."
                  : "The trace has no launch records; to get them, record CUDA runtime calls too.";
}

}  // namespace warpscope::analysis
