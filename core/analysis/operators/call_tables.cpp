#include "core/analysis/operators/call_tables.hpp"

#include <algorithm>
#include <map>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/distribution.hpp"
#include "core/analysis/slices/slice_details.hpp"

namespace warpscope::analysis {
namespace {

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
  CallTables result;
  result.steps = Table("steps", "By step", sum_columns(col::step));
  result.ranks = Table("ranks", "By rank", sum_columns(col::rank));
  result.list = Table("slices", query.name,
                      {{"slice", "", ColumnRole::name},
                       Column{"begin", "", ColumnRole::start}.labeled("start"),
                       {"duration", "", ColumnRole::duration},
                       {"rank", "", ColumnRole::rank},
                       {"track", "", ColumnKind::text}});
  const std::string name = query.name;
  const std::vector<RowCall> calls = calls_of(profile, std::move(query), cancel);
  if (calls.empty() || cancelled(cancel)) return result;
  const trace::Rank& first = *profile.ranks[calls.front().slice.rank];
  const std::uint32_t lane = first.locate(calls.front().slice.slice).lane;
  result.on_device = first.tracks[first.track_of_lane(lane)].kind == trace::TrackKind::stream;
  for (const RowCall& call : calls) {
    result.total = saturating_add(result.total, call.part.length());
    if (result.slices.size() < kMostListed)
      result.list.add_row({profile.name(call.slice), call.part.begin - profile.span.begin, call.part.length(),
                           profile.ranks[call.slice.rank]->number, track_name(profile, call.slice)});
    result.slices.push_back(call.slice);
  }

  std::vector<Ns> durations;
  durations.reserve(calls.size());
  std::vector<Sum> by_rank(profile.ranks.size());
  std::map<std::pair<Ns, NameId>, Sum> by_step;
  std::map<NameId, Ns> step_start;  // earliest start on any rank, so ranks share a row
  for (const RowCall& call : calls) {
    durations.push_back(call.part.length());
    by_rank[call.slice.rank].add(call.part.length());
  }
  std::map<NameId, Sum> sums;
  for (const RowCall& call : calls) {
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

  result.distribution.push_back(histogram_table("bins", "Durations of " + name, durations));
  result.distribution.push_back(statistics_table("Statistics", std::move(durations)));
  return result;
}

}  // namespace warpscope::analysis
