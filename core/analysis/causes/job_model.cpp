#include "core/analysis/causes/job_model.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/analysis/causes/host_chain.hpp"
#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/base/threads/in_order.hpp"
#include "core/base/threads/parallel_for.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kBlockingShare = 0.2;
constexpr std::size_t kLookAhead = 5;  // launches after a collective
constexpr Ns kUsualLag = 1'000;        // between GPU activities that follow each other closely
constexpr Ns kUsualLaunch = 5'000;
constexpr Ns kClockNoise = 1'000;
constexpr Ns kForever = Ns{1} << 60;
// A run that starts later than this after its launch call, for no recorded reason, keeps its distance from the run
// before it.
constexpr Ns kLongLatency = 100'000;
constexpr std::size_t kUsualEdges = 4;  // per run, for the memory to reserve

}  // namespace

JobModel::JobModel(const AnalysisInput& input, const JobRuns& of_job, const ChainVisitor& visit)
    : profile_(input.profile), runs_(of_job) {
  const std::size_t count = profile_.ranks.size();
  base_.resize(count);
  launches_.resize(count);
  origins_.resize(count);
  host_.resize(count);
  avoidable_.resize(count);
  chain_.resize(count);
  waits_.resize(count);
  after_.resize(count);
  for (const std::uint32_t r : comparison().matches().compared)
    if (!runs(r).empty()) used_.push_back(r);
  const auto evaluated = evaluated_time(profile_, input.cancel, input.shared);
  Ns evaluated_ns = 0;
  std::vector<std::vector<StepCell>> cells(used_.size());
  parallel_for(used_.size(), analysis_threads(),
               [&](std::size_t i) { cells[i] = order_launches(used_[i], evaluated->ranks[used_[i]]); });
  for (const std::vector<StepCell>& own : cells) cells_.insert(cells_.end(), own.begin(), own.end());
  clocks_contradict_ = std::ranges::any_of(used_, [&](std::uint32_t r) { return clocks_contradict(r); });
  std::size_t all_runs = 0;
  for (const std::uint32_t r : used_) {
    all_runs += runs(r).size();
    steps_ = std::max<std::size_t>(steps_, evaluated->ranks[r].steps);
    evaluated_ns = saturating_add(evaluated_ns, evaluated->ranks[r].gpu.length());
  }
  by_steps_ = std::ranges::any_of(used_, [&](std::uint32_t r) { return evaluated->ranks[r].steps > 0; });
  find_blocking();
  graph_.reserve(2 * all_runs + used_.size(), kUsualEdges * all_runs);
  const HostWorkNames names(profile_);
  InOrder graph(used_.size(), [&](std::size_t i) {
    add_nodes(used_[i]);
    if (!cancelled(input.cancel)) add_edges(used_[i]);
  });
  parallel_for(used_.size(), analysis_threads(), [&](std::size_t i) {
    if (!cancelled(input.cancel)) read_chain(input, used_[i], names, visit);
    graph.ready(i);
  });
  if (!used_.empty()) evaluated_ = evaluated_ns / static_cast<Ns>(used_.size() * steps_);
}

void JobModel::prepare() {
  graph_.finish();
  Replay unchanged{graph_.durations(), graph_.lags(), {}};
  recorded_ = measured(unchanged);
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(unchanged));
}

bool JobModel::clocks_contradict(std::uint32_t r) const {
  const auto early = std::ranges::count_if(
      launches_[r], [&](std::uint32_t i) { return runs(r)[i].launch > runs(r)[i].time.begin + kClockNoise; });
  return 2 * static_cast<std::size_t>(early) > launches_[r].size();
}

std::vector<StepCell> JobModel::order_launches(std::uint32_t r, const EvaluatedRank& evaluated) {
  std::vector<StepCell> cells;
  const trace::Rank& rank = *profile_.ranks[r];
  std::vector<std::uint32_t>& order = launches_[r];
  for (std::uint32_t i = 0; i < runs(r).size(); ++i)
    if (runs(r)[i].launch != RankRun::kNoLaunch) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return runs(r)[i].launch; });
  host_[r].resize(order.size());
  chain_[r].assign(order.size(), kNoEdge);
  waits_[r].assign(order.size(), kNoEdge);
  std::map<NameId, std::uint32_t> seen;
  std::vector<std::pair<NameId, std::uint32_t>> keys;
  for (const trace::Step& step : rank.steps) keys.emplace_back(step.name, seen[step.name]++);
  std::optional<std::uint32_t> current;
  bool fresh = true;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    const RankRun& run = runs(r)[order[k]];
    const auto step = step_at(rank, run.launch);
    if (fresh || step != current) {
      StepCell cell{.rank = r, .step = {}, .first = k, .last = k};
      if (step) cell.step = keys[*step];
      cell.evaluated = evaluated.steps == 0 || (step && evaluated.has_step(*step));
      cells.push_back(cell);
      current = step;
      fresh = false;
    }
    StepCell& cell = cells.back();
    cell.last = k + 1;
    cell.names = (cell.names ^ run.name) * 0x9E3779B97F4A7C15ULL;
  }
  return cells;
}

/// Returns when the recorded work of a rank starts: with its first step or launch.
Ns JobModel::start_of(std::uint32_t r) const {
  const trace::Rank& rank = *profile_.ranks[r];
  Ns start = launches_[r].empty() ? runs(r).front().time.begin : runs(r)[launches_[r].front()].launch;
  if (!rank.steps.empty()) start = std::min(start, rank.steps.front().time.begin);
  return start;
}

/// Returns a key for collectives of the same kind and size in groups of the same size.
std::uint64_t JobModel::class_of(const RankRun& run) const {
  const JobCollective& collective = comparison().matches().collectives[run.collective];
  return std::uint64_t{collective.signature} << 32U | collective.count;
}

void JobModel::find_blocking() {
  struct Count {
    std::uint64_t all = 0;
    std::uint64_t bound = 0;
  };
  std::unordered_map<std::uint64_t, Count> counts;
  for (const std::uint32_t r : used_) {
    after_[r].assign(runs(r).size(), kNoIndex);
    const std::vector<std::uint32_t>& order = launches_[r];
    for (std::size_t k = 0; k < order.size(); ++k) {
      const RankRun& run = runs(r)[order[k]];
      if (run.collective == kNoIndex) continue;
      for (std::size_t next = k + 1; next < std::min(order.size(), k + 1 + kLookAhead); ++next) {
        const RankRun& other = runs(r)[order[next]];
        if (other.kind == RunKind::communication) continue;
        after_[r][order[k]] = order[next];
        Count& count = counts[class_of(run)];
        ++count.all;
        count.bound += other.waited_for == WaitedFor::run && other.before == order[k];
        break;
      }
    }
  }
  for (const std::uint32_t r : used_)
    for (std::uint32_t i = 0; i < after_[r].size(); ++i) {
      if (after_[r][i] == kNoIndex) continue;
      const Count& count = counts[class_of(runs(r)[i])];
      if (static_cast<double>(count.bound) < kBlockingShare * static_cast<double>(count.all)) after_[r][i] = kNoIndex;
    }
}

void JobModel::add_nodes(std::uint32_t r) {
  const JobCollectives& matches = comparison().matches();
  origins_[r] = graph_.add_node(runs_.common(r, start_of(r)), 0);
  base_[r] = static_cast<std::uint32_t>(graph_.nodes());
  for (const RankRun& run : runs(r)) {
    const Ns start = runs_.common(r, run.time.begin);
    const Ns end = runs_.common(r, run.time.end);
    const bool launched = run.launch != RankRun::kNoLaunch;
    graph_.add_node(launched ? runs_.common(r, run.launch) : start, 0);
    if (run.collective == kNoIndex) {
      graph_.add_node(start, end - start);
      continue;
    }
    Ns last = std::numeric_limits<Ns>::min();
    for (const std::uint32_t e : matches.members_of(matches.collectives[run.collective]))
      last = std::max(last, runs_.common(matches.event(e).rank, matches.event(e).time.begin));
    graph_.add_node(start, end - last, run.collective);
  }
  // Time before the first evaluated step, and in the evaluated steps.
  bool reached = false;
  for (const StepCell& cell : cells_) {
    if (cell.rank != r) continue;
    reached = reached || cell.evaluated;
    if (reached && !cell.evaluated) continue;
    if (cell.evaluated && before_.empty() && runs(r)[launches_[r][cell.first]].launch > runs(r).front().time.begin)
      lags_behind_ = true;
    for (std::uint32_t k = cell.first; k < cell.last; ++k)
      (cell.evaluated ? within_ : before_).push_back(run_node(r, launches_[r][k]));
  }
}

/// Reads what the host does before each launch.
void JobModel::read_chain(const AnalysisInput& input, std::uint32_t r, const HostWorkNames& names,
                          const ChainVisitor& visit) {
  const GpuRows rows(profile_, {{r}, {}}, {.rules = input.values.text(kKernelClassParameter.name)}, input.cancel,
                     input.shared);
  const HostChain chain(profile_, r, *rows.of(r), names, input.cancel);
  const std::vector<std::uint32_t>& order = launches_[r];
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    HostLag& lag = host_[r][k];
    const Ns from = k > 0 ? runs(r)[order[k - 1]].launch : start_of(r);
    Ns longest = 0;
    chain.for_each({from, runs(r)[order[k]].launch}, [&](const HostPiece& piece) {
      const Ns time = piece.time.length();
      if (includes_calls(piece.work)) {
        avoidable_[r].push_back({k, piece.work, piece.call, time});
      } else if (piece.work != HostWork::wait && time > longest) {
        longest = time;
        lag.call = piece.call;
      }
      if (piece.work == HostWork::stall) lag.stalled += time;
    });
  }
  if (visit) visit(r, chain);
}

void JobModel::add_edges(std::uint32_t r) {
  const RankRuns& rank = runs_.of(r);
  const std::vector<RankRun>& all = rank.runs();
  const std::vector<std::uint32_t>& order = launches_[r];
  std::vector<std::uint32_t> position_of(all.size(), kNoIndex);
  std::vector<std::uint32_t> produced_by(all.size(), kNoIndex);
  std::vector<std::uint32_t> blocked_by(all.size(), kNoIndex);
  // A CUDA graph does not run twice at once, so its nodes follow the last node of the replay before. Assumes that all
  // of a rank's graphs run one after another; replays that overlapped in the recording are not bound.
  std::vector<std::uint32_t> after_replay(all.size(), kNoIndex);
  std::vector<std::uint32_t> replay;
  std::vector<std::uint32_t> replayed_before;
  std::vector<Ns> lags;
  std::uint32_t computed = kNoIndex;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    const std::uint32_t i = order[k];
    position_of[i] = k;
    if (all[i].kind == RunKind::communication)
      produced_by[i] = computed;
    else if (all[i].kind == RunKind::kernel)
      computed = i;
    if (after_[r][i] != kNoIndex) blocked_by[after_[r][i]] = i;
    if (all[i].in_graph && (replay.empty() || all[i].launch != all[replay.front()].launch)) {
      replayed_before = std::exchange(replay, {});
      std::ranges::sort(replayed_before, {}, [&](std::uint32_t run) { return all[run].time.end; });
    }
    if (all[i].in_graph) {
      replay.push_back(i);
      if (!replayed_before.empty()) after_replay[i] = replayed_before.back();
    }
    if (all[i].waited_for == WaitedFor::launch) lags.push_back(all[i].time.begin - all[i].launch);
  }
  const Ns usual_launch = lags.empty() ? kUsualLaunch : median_of(lags);
  std::vector<BlockingCall> blocking;
  for (const auto& [thread, calls] : rank.blocking()) blocking.insert(blocking.end(), calls.begin(), calls.end());
  const auto begin_of = [](const BlockingCall& call) { return call.time.begin; };
  std::ranges::sort(blocking, {},
                    [](const BlockingCall& call) { return std::tuple(call.time.begin, call.time.end, call.run); });
  std::unordered_map<std::uint32_t, std::uint32_t> last_on_stream;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const RankRun& run = all[i];
    const std::uint32_t k = position_of[i];
    const Ns start = run.time.begin;
    const auto follow = [&](std::uint32_t before, Ns most) {
      graph_.add_edge(run_node(r, before), run_node(r, i), std::min(most, start - all[before].time.end));
    };
    if (k != kNoIndex) {
      const Ns from = k > 0 ? all[order[k - 1]].launch : start_of(r);
      Ns blocked = 0;
      std::uint32_t waited = kNoIndex;
      for (auto call = std::ranges::lower_bound(blocking, from, {}, begin_of);
           call != blocking.end() && call->time.begin < run.launch; ++call) {
        const std::uint32_t ended = rank.waited_for(*call);
        if (ended == kNoIndex) continue;
        blocked += call->time.length();
        waited = ended;
      }
      HostLag& lag = host_[r][k];
      lag.ordinary = run.launch - from - blocked;
      for (const AvoidableCall& call : avoidable_calls(r, k, k + 1)) lag.ordinary -= call.time;
      lag.ordinary = std::max<Ns>(0, lag.ordinary);
      lag.stalled = std::min(lag.stalled, lag.ordinary);
      chain_[r][k] = graph_.add_edge(k > 0 ? launch_node(r, order[k - 1]) : origins_[r], launch_node(r, i),
                                     run.launch - from - blocked);
      if (waited != kNoIndex) {
        waits_[r][k] = graph_.add_edge(run_node(r, waited), launch_node(r, i), run.launch - all[waited].time.end);
        follow(waited, kUsualLag);
      }
    }
    constexpr Ns kExact = std::numeric_limits<Ns>::max();
    if (k != kNoIndex) {
      const Ns lag = start - run.launch;
      const bool bound = run.waited_for == WaitedFor::launch;
      graph_.add_edge(launch_node(r, i), run_node(r, i), bound ? lag : std::min(usual_launch, std::max<Ns>(0, lag)));
    }
    const std::uint32_t bound_by = run.waited_for == WaitedFor::run ? run.before : kNoIndex;
    const auto [on_stream, first] = last_on_stream.try_emplace(run.stream, i);
    const std::uint32_t before = first ? kNoIndex : std::exchange(on_stream->second, i);
    // A node of a graph is held by its own launch, not by what ran before that.
    const bool own = !run.in_graph || (before != kNoIndex && all[before].launch == run.launch);
    const bool held = own && run.waited_for == WaitedFor::launch && start - run.returned > kLongLatency + usual_launch;
    if (before != kNoIndex) follow(before, before == bound_by || held ? kExact : kUsualLag);
    if (bound_by != kNoIndex && bound_by != before) follow(bound_by, kExact);
    for (const std::uint32_t other : {produced_by[i], blocked_by[i], after_replay[i]})
      if (other != kNoIndex && other != bound_by && all[other].time.end <= start) follow(other, kUsualLag);
  }
}

void JobModel::shorten_host(std::uint32_t r, std::uint32_t k, Ns time, ReplayChange& change) const {
  if (time <= 0) return;
  for (const ReplayGraph::Edge edge : {chain_[r][k], waits_[r][k]})
    if (edge != kNoEdge) change.lags.emplace_back(edge, time);
}

void JobModel::remove_wait(std::uint32_t r, std::uint32_t k, ReplayChange& change) const {
  if (waits_[r][k] != kNoEdge) change.lags.emplace_back(waits_[r][k], kForever);
}

Ns JobModel::step_time(std::span<const ReplayChange* const> changes) const {
  Replay replay;
  {
    const MutexLock lock(mutex_);
    if (!idle_.empty()) {
      replay = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (replay.durations.empty()) replay = {graph_.durations(), graph_.lags(), {}};
  for (const ReplayChange* const change : changes) {
    for (const auto& [node, time] : change->durations)
      replay.durations[node] = std::max<Ns>(0, replay.durations[node] - time);
    for (const auto& [edge, time] : change->lags)
      replay.lags[edge] =
          time >= kForever ? -kForever : std::max(std::min<Ns>(0, graph_.lag(edge)), replay.lags[edge] - time);
  }
  const Ns time = evaluated_ - (recorded_ - measured(replay));
  for (const ReplayChange* const change : changes) {
    for (const auto& [node, ignored] : change->durations) replay.durations[node] = graph_.duration(node);
    for (const auto& [edge, ignored] : change->lags) replay.lags[edge] = graph_.lag(edge);
  }
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(replay));
  return time;
}

/// Replays; returns the time from the last end before the evaluated steps to their last end, per step.
Ns JobModel::measured(Replay& replay) const {
  if (within_.empty()) return 0;
  graph_.replay(replay.durations, replay.lags, replay.ends);
  Ns start = std::numeric_limits<Ns>::min();
  Ns end = start;
  for (const ReplayGraph::Node node : before_) start = std::max(start, replay.ends[node]);
  if (before_.empty()) {
    start = std::numeric_limits<Ns>::max();
    if (!lags_behind_)
      for (const std::uint32_t r : used_) start = std::min(start, replay.ends[origins_[r]]);
    else
      for (const ReplayGraph::Node node : within_) start = std::min(start, replay.ends[node] - replay.durations[node]);
  }
  for (const ReplayGraph::Node node : within_) end = std::max(end, replay.ends[node]);
  return (end - start) / static_cast<Ns>(steps_);
}

}  // namespace warpscope::analysis
