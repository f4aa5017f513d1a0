#include "core/analysis/operators/call_tables.hpp"

#include <algorithm>
#include <map>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/distribution.hpp"
#include "core/analysis/slices/slice_details.hpp"

namespace warpscope::analysis {
namespace {

struct Call {
  trace::SliceRef slice;
  Interval part;
};

/// Calls on streams, or on all other tracks.
std::vector<Call> calls_on(const trace::Profile& profile, const CallQuery& query, NameId name, bool device,
                           const CancelToken* cancel) {
  std::vector<Call> calls;
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

struct Sum {
  std::uint64_t calls = 0;
  Ns total = 0;
  Ns longest = 0;

  void add(Ns duration) {
    ++calls;
    total = saturating_add(total, duration);
    longest = std::max(longest, duration);
  }
};

std::vector<Column> sum_columns(Column first) {
  return {std::move(first), Column("calls", col::count), col::total, col::mean, col::max};
}

void add_sum(Table& table, const Cell& of, const Sum& sum) {
  table.add_row(
      {of, sum.calls, sum.total, static_cast<double>(sum.total) / static_cast<double>(sum.calls), sum.longest});
}

}  // namespace

CallTables call_tables(const trace::Profile& profile, CallQuery query, const CancelToken* cancel) {
  query.scope = resolved(std::move(query.scope), profile, cancel, nullptr);
  CallTables result;
  result.steps = Table("steps", "By step", sum_columns(col::step));
  result.ranks = Table("ranks", "By rank", sum_columns(col::rank));
  NameId name = 0;
  if (!profile.names().find(query.name, name)) return result;
  std::vector<Call> calls = calls_on(profile, query, name, query.on_device, cancel);
  result.on_device = query.on_device || calls.empty();
  if (calls.empty() && !query.on_device) calls = calls_on(profile, query, name, true, cancel);
  if (calls.empty() || cancelled(cancel)) return result;

  std::vector<Ns> durations;
  durations.reserve(calls.size());
  std::vector<Sum> by_rank(profile.ranks.size());
  std::map<std::pair<Ns, NameId>, Sum> by_step;
  std::map<NameId, Ns> step_start;  // earliest start on any rank, so ranks share a row
  for (const Call& call : calls) {
    durations.push_back(call.part.length());
    by_rank[call.slice.rank].add(call.part.length());
  }
  std::map<NameId, Sum> sums;
  for (const Call& call : calls) {
    const auto step = step_of(profile, call.slice);
    if (!step) continue;
    const trace::Rank& rank = *profile.ranks[step->rank];
    const trace::SlicePlace place = rank.locate(step->slice);
    const NameId of = rank.lanes[place.lane].name(place.index);
    const Ns start = rank.begin(step->slice);
    const auto [known, fresh] = step_start.try_emplace(of, start);
    if (!fresh) known->second = std::min(known->second, start);
    sums[of].add(call.part.length());
  }
  for (const auto& [of, sum] : sums) by_step.emplace(std::pair(step_start[of], of), sum);
  for (const auto& [key, sum] : by_step) add_sum(result.steps, profile.names().view(key.second), sum);
  for (std::uint32_t r = 0; r < by_rank.size(); ++r)
    if (by_rank[r].calls > 0) add_sum(result.ranks, profile.ranks[r]->number, by_rank[r]);

  if (auto bins = histogram_table("bins", "Durations of " + query.name, durations, {}))
    result.distribution.push_back(std::move(*bins));
  result.distribution.push_back(statistics_table("Statistics", std::move(durations)));
  std::ranges::sort(calls, [](const Call& a, const Call& b) {
    return a.part.length() != b.part.length() ? a.part.length() > b.part.length()
                                              : std::pair(a.part.begin, a.slice) < std::pair(b.part.begin, b.slice);
  });
  result.slices.reserve(calls.size());
  for (const Call& call : calls) result.slices.push_back(call.slice);
  return result;
}

}  // namespace warpscope::analysis
