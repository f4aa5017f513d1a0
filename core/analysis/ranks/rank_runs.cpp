#include "core/analysis/ranks/rank_runs.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/analysis/shared/graph_nodes.hpp"
#include "core/base/natural_merge.hpp"

namespace warpscope::analysis {

namespace {

constexpr Ns kClockGrain = 1'000;   // starts may seem to precede their predecessor by this much
constexpr Ns kEventDelay = 20'000;  // from the end of activity to the start of its waiter on another stream
constexpr Ns kReturnEarly = 2'000;  // a call may seem to return before the activity that it waits for ends
constexpr char kBlockingWord = 1;   // words
constexpr char kEngineWord = 2;

constexpr Ns begin_of_call(const BlockingCall& call) { return call.time.begin; }

}  // namespace

std::vector<char> host_words(const trace::Profile& profile) {
  const StringTable& names = profile.names();
  std::vector<char> words(names.size());
  for (NameId id = 0; id < words.size(); ++id) {
    const std::string_view name = names.view(id);
    if (name.find("Synchronize") != std::string_view::npos || name == "cudaMemcpy" || name == "hipMemcpy")
      words[id] = kBlockingWord;
    else if (name.find("autograd::engine") != std::string_view::npos)
      words[id] = kEngineWord;
  }
  return words;
}

RankRuns::RankRuns(const trace::Profile& profile, std::uint32_t rank_index, const GpuRows::Rows& rows,
                   const JobCollectives& matches, const std::vector<char>& words, HostRule rule) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  first_ = rank.span.begin;
  runs_.reserve(rows.size());
  std::unordered_map<std::uint32_t, std::uint32_t> thread_of_lane;
  for (const GpuRow& row : rows) {
    RankRun run{.time = {row.time.begin, std::max(row.time.begin, row.time.end)},
                .name = row.name,
                .slice = row.slice,
                .stream = row.track,
                .kind = row.kind == KernelClass::communication ? RunKind::communication
                        : row.kind == KernelClass::memory      ? RunKind::memory
                                                               : RunKind::kernel};
    if (row.launch) {
      const trace::SlicePlace place = rank.locate(*row.launch);
      const trace::TimeColumn& times = rank.lanes[place.lane].time();
      run.launch = times.begin(place.index);
      run.returned = std::max(run.launch, times.end(place.index));
      const auto [thread, fresh] = thread_of_lane.try_emplace(place.lane, 0);
      if (fresh) thread->second = rank.track_of_lane(place.lane);
      run.thread = thread->second;
      run.in_graph = is_graph_launch(profile.names().view(rank.name(*row.launch)));
      first_ = std::min(first_, run.launch);
    }
    runs_.push_back(run);
  }
  for (std::uint32_t e = matches.job.first[rank_index]; e < matches.job.first[rank_index + 1]; ++e)
    if (matches.job.events[e].run < runs_.size())
      runs_[matches.job.events[e].run].collective = matches.collective_of[e];
  add_callbacks(profile, rank_index);
  find_calls(profile, rank, words);
  if (rule == HostRule::process) {
    find_blocking_copies();
    join_passes(rank);
  } else {
    passes_.clear();
  }
  for (auto& [thread, calls] : blocking_)
    std::ranges::sort(calls, {},
                      [](const BlockingCall& call) { return std::tuple(call.time.begin, call.time.end, call.run); });
  by_end_.resize(runs_.size());
  std::iota(by_end_.begin(), by_end_.end(), 0U);
  natural_merge_sort(by_end_, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(runs_[a].time.end, a) < std::tuple(runs_[b].time.end, b);
  });
  find_predecessors(profile, rank);
}

/// Finds blocking calls, and stores the threads with autograd engine calls in passes_.
void RankRuns::find_calls(const trace::Profile& profile, const trace::Rank& rank, const std::vector<char>& words) {
  for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
    const trace::Track& track = rank.tracks[t];
    if (track.kind != trace::TrackKind::thread || track.launches == 0) continue;
    std::vector<BlockingCall> calls;
    bool engine = false;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      const trace::Lane& lane = rank.lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        const char word = words[lane.name(i)];
        engine |= word == kEngineWord;
        if (word == kBlockingWord && profile.categories().role(lane.category(i)) == trace::Role::launch)
          calls.push_back({{lane.time().begin(i), lane.time().end(i)}});
      }
    }
    if (engine) passes_.push_back(t);
    if (!calls.empty()) blocking_.emplace(t, std::move(calls));
  }
}

/// Copies from and to pageable memory block the call that launches them, whatever its name.
void RankRuns::find_blocking_copies() {
  for (std::uint32_t i = 0; i < runs_.size(); ++i) {
    const RankRun& run = runs_[i];
    if (run.kind != RunKind::memory || run.launch == RankRun::kNoLaunch) continue;
    if (run.time.end <= run.returned) blocking_[run.thread].push_back({{run.launch, run.returned}, i});
  }
}

/// Adds the forward pass's thread: the one with the steps, even if it also runs part of the backward pass; otherwise,
/// the one with the most launches among threads that run no part of the backward pass.
void RankRuns::join_passes(const trace::Rank& rank) {
  std::vector<std::uint32_t> engines = std::exchange(passes_, {});
  const auto is_engine = [&](std::uint32_t t) { return std::ranges::find(engines, t) != engines.end(); };
  std::uint32_t forward = kNoIndex;
  if (!rank.steps.empty()) forward = rank.track_of_lane(rank.locate(rank.steps.front().slice).lane);
  for (std::uint32_t t = 0; rank.steps.empty() && t < rank.tracks.size(); ++t)
    if (rank.tracks[t].kind == trace::TrackKind::thread && !is_engine(t) && rank.tracks[t].launches > 0 &&
        (forward == kNoIndex || rank.tracks[t].launches > rank.tracks[forward].launches))
      forward = t;
  std::erase(engines, forward);
  if (engines.empty() || forward == kNoIndex) return;
  std::vector<BlockingCall> calls = std::move(blocking_[forward]);
  for (const std::uint32_t t : engines) {
    if (rank.tracks[t].process != rank.tracks[forward].process) continue;
    passes_.push_back(t);
    const auto own = blocking_.find(t);
    if (own == blocking_.end()) continue;
    calls.insert(calls.end(), own->second.begin(), own->second.end());
    blocking_.erase(own);
  }
  blocking_[forward] = std::move(calls);
  if (!passes_.empty()) passes_.push_back(forward);
}

/// Host callbacks of CUDA graphs occupy their stream like kernels.
void RankRuns::add_callbacks(const trace::Profile& profile, std::uint32_t rank_index) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const auto rows = static_cast<std::uint32_t>(runs_.size());
  for (std::uint32_t d = 0; d < rank.devices.size(); ++d)
    for (const HostNode& node : host_nodes(profile, rank_index, d)) {
      RankRun run{.time = node.time,
                  .name = rank.name(node.slice),
                  .slice = node.slice,
                  .stream = node.track,
                  .kind = RunKind::callback,
                  .in_graph = true};
      if (const auto launch = launch_of_node(profile, rank, node.slice)) {
        run.launch = rank.begin(*launch);
        run.returned = saturating_add(run.launch, rank.duration(*launch));
        run.thread = rank.track_of_lane(rank.locate(*launch).lane);
      }
      runs_.push_back(run);
    }
  if (runs_.size() == rows) return;
  std::vector<std::uint32_t> order(runs_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return runs_[i].time.begin; });
  run_of_.resize(rows);
  std::vector<RankRun> sorted;
  sorted.reserve(runs_.size());
  for (const std::uint32_t i : order) {
    if (i < rows) run_of_[i] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(runs_[i]);
  }
  runs_ = std::move(sorted);
}

void RankRuns::find_predecessors(const trace::Profile& profile, const trace::Rank& rank) {
  std::vector<std::pair<trace::SliceOrdinal, std::uint32_t>> nodes;  // of CUDA graphs with recorded dependencies
  if (rank.graph_edges.size() > 0)
    for (std::uint32_t i = 0; i < runs_.size(); ++i)
      if (runs_[i].in_graph) nodes.emplace_back(runs_[i].slice, i);
  std::ranges::sort(nodes);
  const auto awaited_by = [&](const RankRun& run) {
    const auto node = nodes.empty() ? std::nullopt : last_awaited_node(profile, rank, run.slice);
    if (!node) return kNoIndex;
    const auto found = std::ranges::lower_bound(nodes, std::pair(*node, 0U));
    return found == nodes.end() || found->first != *node ? kNoIndex : found->second;
  };
  std::unordered_map<std::uint32_t, std::uint32_t> last;  // run by stream
  std::size_t ended = 0;                                  // in by_end_: the first that ends after the start
  for (std::uint32_t i = 0; i < runs_.size(); ++i) {
    RankRun& run = runs_[i];
    const Ns start = run.time.begin;
    Ns latest = RankRun::kNoLaunch;
    const auto wait_for = [&](std::uint32_t before) {
      run.before = before;
      run.waited_for = WaitedFor::run;
      latest = runs_[before].time.end;
    };
    const auto [previous, first] = last.try_emplace(run.stream, i);
    if (!first) {
      if (runs_[previous->second].time.end <= start + kClockGrain) wait_for(previous->second);
      previous->second = i;
    }
    while (ended < by_end_.size() && runs_[by_end_[ended]].time.end <= start + kClockGrain / 2) ++ended;
    std::uint32_t awaited = run.in_graph ? awaited_by(run) : kNoIndex;
    // A callback without recorded dependencies waits for the node of its graph that ended last.
    for (std::size_t k = ended; run.kind == RunKind::callback && awaited == kNoIndex && k-- > 0;) {
      const RankRun& other = runs_[by_end_[k]];
      if (run.launch == RankRun::kNoLaunch || other.time.end < run.launch) break;
      if (other.in_graph && other.launch == run.launch && by_end_[k] != i) awaited = by_end_[k];
    }
    if (awaited != kNoIndex && awaited < i && runs_[awaited].time.end >= latest) wait_for(awaited);
    for (std::size_t k = ended; awaited == kNoIndex && k-- > 0;) {
      const RankRun& other = runs_[by_end_[k]];
      if (other.time.end < start - kEventDelay || (latest != RankRun::kNoLaunch && other.time.end <= latest)) break;
      if (by_end_[k] == i || other.stream == run.stream || other.time.begin >= start) continue;
      wait_for(by_end_[k]);
      break;
    }
    if (run.launch != RankRun::kNoLaunch && (latest == RankRun::kNoLaunch || run.launch > latest - kClockGrain)) {
      run.before = kNoIndex;
      run.waited_for = WaitedFor::launch;
    }
  }
}

const BlockingCall* RankRuns::blocked_before(std::uint32_t thread, Ns time) const {
  const bool passes = std::ranges::find(passes_, thread) != passes_.end();
  const auto calls = blocking_.find(passes ? passes_.back() : thread);
  if (calls == blocking_.end()) return nullptr;
  auto at = std::ranges::lower_bound(calls->second, time, {}, begin_of_call);
  while (at != calls->second.begin()) {
    --at;
    if (at->time.end <= time) return &*at;
  }
  return nullptr;
}

std::uint32_t RankRuns::waited_for(const BlockingCall& call) const {
  if (call.run != kNoIndex) return call.run;
  const auto after = std::ranges::upper_bound(by_end_, saturating_add(call.time.end, kReturnEarly), {},
                                              [&](std::uint32_t run) { return runs_[run].time.end; });
  if (after == by_end_.begin()) return kNoIndex;
  const std::uint32_t ended = *(after - 1);
  return runs_[ended].time.end >= call.time.begin ? ended : kNoIndex;
}

}  // namespace warpscope::analysis
