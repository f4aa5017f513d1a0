#include "core/analysis/operators/row_calls.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/analysis/shared/precision.hpp"
#include "core/analysis/shared/row_words.hpp"

namespace warpscope::analysis {
namespace {

/// Slices with a name, on streams or on all other tracks.
std::vector<RowCall> named_calls(const trace::Profile& profile, const CallQuery& query, bool device,
                                 const CancelToken* cancel) {
  std::vector<RowCall> calls;
  NameId name = 0;
  if (!profile.names().find(query.name, name)) return calls;
  for (const std::uint32_t r : ranks_in(profile, query.scope)) {
    const trace::Rank& rank = *profile.ranks[r];
    for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
      if (cancelled(cancel)) return calls;
      if (!holds_recorded(rank, l)) continue;
      const bool stream = rank.tracks[rank.track_of_lane(l)].kind == trace::TrackKind::stream;
      if (stream != device) continue;
      const trace::Lane& lane = rank.lanes[l];
      for_each_part(lane, stream ? query.scope.on_gpu(r) : query.scope.on_host(r), [&](std::uint32_t i, Interval part) {
        if (lane.name(i) == name) calls.push_back({{r, rank.ordinal({l, i})}, part});
      });
    }
  }
  return calls;
}

std::vector<RowCall> waits_in(const trace::Profile& profile, const Scope& scope) {
  std::vector<RowCall> calls;
  for (const std::uint32_t r : ranks_in(profile, scope)) {
    const trace::Rank& rank = *profile.ranks[r];
    for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
      if (rank.rows_of(l) != trace::LaneKind::sync) continue;
      for_each_part(rank.lanes[l], scope.on_gpu(r), [&](std::uint32_t i, Interval part) {
        calls.push_back({{r, rank.ordinal({l, i})}, part});
      });
    }
  }
  return calls;
}

/// Marks the names of kernels and copies in the row.
std::vector<char> names_in_row(const trace::Profile& profile, const CallQuery& query) {
  std::vector<char> wanted(profile.names().size());
  const std::unordered_set<std::string_view> listed(query.listed.begin(), query.listed.end());
  for (NameId id = 0; id < wanted.size(); ++id) {
    const std::string_view name = profile.names().view(id);
    if (query.of == ColumnRole::kernel) wanted[id] = listed.contains(name) ? 0 : 1;
    if (query.of == ColumnRole::precision) wanted[id] = query.is(kernel_precision(name)) ? 1 : 0;
    if (query.of == ColumnRole::memory_operation) wanted[id] = query.is(copy_direction(name)) ? 1 : 0;
  }
  return wanted;
}

std::vector<RowCall> runs_in_row(const trace::Profile& profile, const CallQuery& query, const CancelToken* cancel) {
  const std::vector<char> names = names_in_row(profile, query);
  // A precision row has compute kernels by name; other kernels are counted by class.
  const KernelClass wanted =
      query.value < kPrecisions ? KernelClass::computation : static_cast<KernelClass>(query.value - kPrecisions);
  std::optional<KernelClasses> classes;
  if (query.of == ColumnRole::precision) classes.emplace(profile, KernelClasses::Choice{.rules = query.kernel_rules});
  const auto passes = [&](const RunPart& run) {
    const bool kernel = trace::is_kernel(run.role);
    const bool named = names[run.lane.name(run.index)] != 0;
    switch (query.of) {
      case ColumnRole::kernel:
        return kernel && named;
      case ColumnRole::precision:
        return kernel && (named || wanted != KernelClass::computation) &&
               classes->of(run.rank, run.lane_index, run.index, run.role) == wanted;
      case ColumnRole::memory_operation:
        if (run.role == trace::Role::memory_set) return query.is(MemoryOperation::set);
        return run.role == trace::Role::memory_copy && named;
      case ColumnRole::activity:
        return kernel == query.is(GpuActivity::kernel);
      default:
        return true;
    }
  };
  std::vector<RowCall> calls;
  for_each_run(profile, query.scope, cancel, [&](const RunPart& run) {
    if (passes(run))
      calls.push_back({{run.rank, profile.ranks[run.rank]->ordinal({run.lane_index, run.index})}, run.part});
  });
  return calls;
}

std::vector<RowCall> find_calls(const trace::Profile& profile, const CallQuery& query, const CancelToken* cancel) {
  std::vector<RowCall> calls;
  const auto add = [&](trace::SliceRef slice, Ns begin, Ns duration) {
    if (!query.durations || query.durations->contains(duration))
      calls.push_back({slice, {begin, saturating_add(begin, duration)}});
  };
  switch (query.of) {
    case ColumnRole::kernel:
    case ColumnRole::precision:
    case ColumnRole::memory_operation:
    case ColumnRole::state:
      return runs_in_row(profile, query, cancel);
    case ColumnRole::activity:
      return query.is(GpuActivity::sync) ? waits_in(profile, query.scope) : runs_in_row(profile, query, cancel);
    case ColumnRole::annotation_group:
      for (const Sample& sample :
           annotation_samples(profile, query.scope, query.name, query.on_device ? Side::gpu : Side::cpu, cancel)
               .samples)
        add(sample.slice, sample.begin, sample.duration);
      return calls;
    case ColumnRole::step:
      for (const StepSample& sample : step_samples(profile, query.scope, cancel))
        if (!query.start || sample.begin - profile.span.begin == *query.start)
          add(sample.slice, sample.begin, sample.duration);
      return calls;
    default:
      calls = named_calls(profile, query, query.on_device, cancel);
      return calls.empty() && !query.on_device ? named_calls(profile, query, true, cancel) : calls;
  }
}

}  // namespace

std::vector<RowCall> calls_of(const trace::Profile& profile, CallQuery query, const CancelToken* cancel) {
  query.scope = resolved(std::move(query.scope), profile, cancel, nullptr);
  std::vector<RowCall> calls = find_calls(profile, query, cancel);
  std::ranges::sort(calls, [](const RowCall& a, const RowCall& b) {
    return a.part.length() != b.part.length() ? a.part.length() > b.part.length()
                                              : std::pair(a.part.begin, a.slice) < std::pair(b.part.begin, b.slice);
  });
  return calls;
}

}  // namespace warpscope::analysis
