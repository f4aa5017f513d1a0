#include "core/analysis/ranks/rank_runs.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {

namespace {

constexpr Ns kClockGrain = 1'000;   // starts may seem to precede what they follow by this much
constexpr Ns kEventDelay = 20'000;  // from the end of activity to the start of what waits for it on another stream
constexpr Ns kReturnEarly = 2'000;  // a call may seem to return before the activity that it waits for ends

}  // namespace

std::vector<char> blocking_names(const trace::Profile& profile) {
  const StringTable& names = profile.names();
  std::vector<char> blocking(names.size());
  for (NameId id = 0; id < blocking.size(); ++id) {
    const std::string_view name = names.view(id);
    blocking[id] = name.find("Synchronize") != std::string_view::npos || name == "cudaMemcpy" || name == "hipMemcpy";
  }
  return blocking;
}

RankRuns::RankRuns(const trace::Profile& profile, std::uint32_t rank_index, const GpuRows::Rows& rows,
                   const JobCollectives& matches, const std::vector<char>& blocking) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  first_ = rank.span.begin;
  runs_.reserve(rows.size());
  std::unordered_map<std::uint32_t, std::uint32_t> thread_of_lane;
  for (const GpuRow& row : rows) {
    RankRun run{.time = {row.time.begin, std::max(row.time.begin, row.time.end)},
                .name = row.name,
                .stream = row.track,
                .kind = row.kind == KernelClass::communication ? RunKind::communication
                        : row.kind == KernelClass::memory      ? RunKind::memory
                                                               : RunKind::kernel};
    if (row.launch) {
      const trace::SlicePlace place = rank.locate(*row.launch);
      run.launch = rank.lanes[place.lane].time().begin(place.index);
      const auto [thread, fresh] = thread_of_lane.try_emplace(place.lane, 0);
      if (fresh) thread->second = rank.track_of_lane(place.lane);
      run.thread = thread->second;
      first_ = std::min(first_, run.launch);
    }
    runs_.push_back(run);
  }
  for (std::uint32_t e = matches.job.first[rank_index]; e < matches.job.first[rank_index + 1]; ++e)
    if (matches.job.events[e].run < runs_.size())
      runs_[matches.job.events[e].run].collective = matches.collective_of[e];
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    const trace::Track& track = rank.tracks[t];
    if (track.kind != trace::TrackKind::thread || track.launches == 0) continue;
    std::vector<Interval> calls;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      const trace::Lane& lane = rank.lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i)
        if (blocking[lane.name(i)] != 0 && profile.categories().role(lane.category(i)) == trace::Role::launch)
          calls.push_back({lane.time().begin(i), lane.time().end(i)});
    }
    std::ranges::sort(calls, {}, [](const Interval& call) { return std::tuple(call.begin, call.end); });
    if (!calls.empty()) blocking_.emplace(t, std::move(calls));
  }
  by_end_.resize(runs_.size());
  std::iota(by_end_.begin(), by_end_.end(), 0U);
  natural_merge_sort(by_end_, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(runs_[a].time.end, a) < std::tuple(runs_[b].time.end, b);
  });
  find_predecessors();
}

void RankRuns::find_predecessors() {
  std::unordered_map<std::uint32_t, std::uint32_t> last;  // run by stream
  std::size_t ended = 0;                                  // in by_end_: the first that ends after the start
  for (std::uint32_t i = 0; i < runs_.size(); ++i) {
    RankRun& run = runs_[i];
    const Ns start = run.time.begin;
    Ns latest = RankRun::kNoLaunch;
    const auto [previous, first] = last.try_emplace(run.stream, i);
    if (!first) {
      const Ns end = runs_[previous->second].time.end;
      if (end <= start + kClockGrain) {
        run.before = previous->second;
        run.waited_for = WaitedFor::run;
        latest = end;
      }
      previous->second = i;
    }
    while (ended < by_end_.size() && runs_[by_end_[ended]].time.end <= start + kClockGrain / 2) ++ended;
    for (std::size_t k = ended; k-- > 0;) {
      const RankRun& other = runs_[by_end_[k]];
      if (other.time.end < start - kEventDelay || (latest != RankRun::kNoLaunch && other.time.end <= latest)) break;
      if (by_end_[k] == i || other.stream == run.stream || other.time.begin >= start) continue;
      run.before = by_end_[k];
      run.waited_for = WaitedFor::run;
      latest = other.time.end;
      break;
    }
    if (run.launch != RankRun::kNoLaunch && (latest == RankRun::kNoLaunch || run.launch > latest - kClockGrain)) {
      run.before = kNoIndex;
      run.waited_for = WaitedFor::launch;
    }
  }
}

const Interval* RankRuns::blocked_before(std::uint32_t thread, Ns time) const {
  const auto calls = blocking_.find(thread);
  if (calls == blocking_.end()) return nullptr;
  auto at = std::ranges::lower_bound(calls->second, time, {}, &Interval::begin);
  while (at != calls->second.begin()) {
    --at;
    if (at->end <= time) return &*at;
  }
  return nullptr;
}

std::uint32_t RankRuns::ended_by(Ns time) const {
  const auto after = std::ranges::upper_bound(by_end_, saturating_add(time, kReturnEarly), {},
                                              [&](std::uint32_t run) { return runs_[run].time.end; });
  return after == by_end_.begin() ? kNoIndex : *(after - 1);
}

}  // namespace warpscope::analysis
