#include "core/analysis/ranks/job_replay.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kBlockingShare = 0.2;
constexpr std::size_t kLookAhead = 5;  // launches after a collective
constexpr Ns kUsualLag = 1'000;        // between GPU activities that follow each other closely
constexpr Ns kUsualLaunch = 5'000;

}  // namespace

JobReplay::JobReplay(const AnalysisInput& input, const RankComparison& comparison, const RunForest& forest)
    : profile_(input.profile), comparison_(comparison), forest_(forest) {
  const std::size_t count = profile_.ranks.size();
  base_.resize(count);
  launches_.resize(count);
  segments_.resize(count);
  by_step_.resize(count);
  after_.resize(count);
  changes_.resize(count);
  for (const std::uint32_t r : comparison.matches().compared)
    if (!runs(r).empty()) used_.push_back(r);
  for (const std::uint32_t r : used_) order_launches(r);
  find_blocking();
  Ns first = std::numeric_limits<Ns>::max();
  Ns last = std::numeric_limits<Ns>::min();
  for (const std::uint32_t r : used_) {
    add_nodes(r);
    for (const RankRun& run : runs(r)) {
      first = std::min(first, forest_.common(r, run.time.begin));
      last = std::max(last, forest_.common(r, run.time.end));
    }
  }
  recorded_ = used_.empty() ? 0 : last - first;
  for (const std::uint32_t r : used_) {
    if (cancelled(input.cancel)) break;
    add_edges(r);
  }
  graph_.finish();
  durations_ = graph_.durations();
  lags_ = graph_.lags();
  for (const std::uint32_t r : used_) {
    if (cancelled(input.cancel)) break;
    changes_[r] = changes_of(r);
  }
}

void JobReplay::order_launches(std::uint32_t r) {
  const trace::Rank& rank = *profile_.ranks[r];
  std::vector<std::uint32_t>& order = launches_[r];
  for (std::uint32_t i = 0; i < runs(r).size(); ++i)
    if (runs(r)[i].launch != RankRun::kNoLaunch) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return runs(r)[i].launch; });
  std::map<NameId, std::uint32_t> seen;
  std::vector<std::pair<NameId, std::uint32_t>> keys;
  for (const trace::Step& step : rank.steps) keys.emplace_back(step.name, seen[step.name]++);
  std::optional<std::uint32_t> current;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    const RankRun& run = runs(r)[order[k]];
    const auto step = step_at(rank, run.launch);
    if (k == 0 || step != current) {
      segments_[r].push_back({step ? keys[*step] : std::pair<NameId, std::uint32_t>(), k, k, 0});
      current = step;
    }
    Segment& segment = segments_[r].back();
    segment.last = k + 1;
    segment.names = (segment.names ^ run.name) * 0x9E3779B97F4A7C15ULL;
  }
  by_step_[r].resize(segments_[r].size());
  std::iota(by_step_[r].begin(), by_step_[r].end(), 0U);
  std::ranges::stable_sort(by_step_[r], {}, [&](std::uint32_t s) { return segments_[r][s].step; });
}

/// Returns a key for collectives of the same kind and size in groups of the same size.
std::uint64_t JobReplay::class_of(const RankRun& run) const {
  const JobCollective& collective = comparison_.matches().collectives[run.collective];
  return std::uint64_t{collective.signature} << 32U | collective.count;
}

void JobReplay::find_blocking() {
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

void JobReplay::add_nodes(std::uint32_t r) {
  const JobCollectives& matches = comparison_.matches();
  base_[r] = static_cast<std::uint32_t>(graph_.nodes());
  for (const RankRun& run : runs(r)) {
    const Ns start = forest_.common(r, run.time.begin);
    const Ns end = forest_.common(r, run.time.end);
    const bool launched = run.launch != RankRun::kNoLaunch;
    graph_.add_node(launched ? forest_.common(r, run.launch) : start, 0);
    if (run.collective == kNoIndex) {
      graph_.add_node(start, end - start);
      continue;
    }
    Ns last = std::numeric_limits<Ns>::min();
    for (const std::uint32_t e : matches.members_of(matches.collectives[run.collective]))
      last = std::max(last, forest_.common(matches.event(e).rank, matches.event(e).time.begin));
    graph_.add_node(start, end - last, run.collective);
  }
}

void JobReplay::add_edges(std::uint32_t r) {
  const RankRuns& rank = forest_.runs_of(r);
  const std::vector<RankRun>& all = rank.runs();
  std::vector<std::uint32_t> launched_before(all.size(), kNoIndex);
  std::vector<std::uint32_t> produced_by(all.size(), kNoIndex);
  std::vector<std::uint32_t> blocked_by(all.size(), kNoIndex);
  std::vector<Ns> lags;
  std::uint32_t previous = kNoIndex;
  std::uint32_t computed = kNoIndex;
  for (const std::uint32_t i : launches_[r]) {
    launched_before[i] = std::exchange(previous, i);
    if (all[i].kind == RunKind::communication)
      produced_by[i] = computed;
    else if (all[i].kind == RunKind::kernel)
      computed = i;
    if (after_[r][i] != kNoIndex) blocked_by[after_[r][i]] = i;
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
    if (const std::uint32_t before = launched_before[i]; before != kNoIndex) {
      const Ns from = all[before].launch;
      Ns blocked = 0;
      std::uint32_t waited = kNoIndex;
      for (auto call = std::ranges::lower_bound(blocking, from, {}, begin_of);
           call != blocking.end() && call->time.begin < run.launch; ++call) {
        const std::uint32_t ended = rank.waited_for(*call);
        if (ended == kNoIndex) continue;
        blocked += call->time.length();
        waited = ended;
      }
      graph_.add_edge(launch_node(r, before), launch_node(r, i), run.launch - from - blocked);
      if (waited != kNoIndex)
        graph_.add_edge(run_node(r, waited), launch_node(r, i), run.launch - all[waited].time.end);
    }
    const Ns start = run.time.begin;
    const auto follow = [&](std::uint32_t before, Ns most) {
      graph_.add_edge(run_node(r, before), run_node(r, i), std::min(most, start - all[before].time.end));
    };
    constexpr Ns kExact = std::numeric_limits<Ns>::max();
    if (run.launch != RankRun::kNoLaunch) {
      const Ns lag = start - run.launch;
      const bool bound = run.waited_for == WaitedFor::launch;
      graph_.add_edge(launch_node(r, i), run_node(r, i), bound ? lag : std::min(usual_launch, std::max<Ns>(0, lag)));
    }
    const std::uint32_t bound_by = run.waited_for == WaitedFor::run ? run.before : kNoIndex;
    const auto [on_stream, first] = last_on_stream.try_emplace(run.stream, i);
    const std::uint32_t before = first ? kNoIndex : std::exchange(on_stream->second, i);
    if (before != kNoIndex) follow(before, before == bound_by ? kExact : kUsualLag);
    if (bound_by != kNoIndex && bound_by != before) follow(bound_by, kExact);
    for (const std::uint32_t other : {produced_by[i], blocked_by[i]})
      if (other != kNoIndex && other != bound_by && all[other].time.end <= start) follow(other, kUsualLag);
  }
}

const JobReplay::Segment* JobReplay::find_segment(std::uint32_t rank, const Segment& like, bool equal_names) const {
  constexpr int kTried = 64;  // there is one segment per step, but any number outside steps
  const std::vector<Segment>& all = segments_[rank];
  auto at = std::ranges::lower_bound(by_step_[rank], like.step, {}, [&](std::uint32_t s) { return all[s].step; });
  for (int tried = 0; at != by_step_[rank].end() && all[*at].step == like.step && tried < kTried; ++at, ++tried)
    if (!equal_names || (all[*at].names == like.names && all[*at].last - all[*at].first == like.last - like.first))
      return &all[*at];
  return nullptr;
}

/// Returns lags of the edges into launches (rank, run): from the previous launch, and from the activity that the host
/// waited for.
std::array<std::vector<Ns>, 2> JobReplay::lags_at(
    std::span<const std::pair<std::uint32_t, std::uint32_t>> peers) const {
  std::array<std::vector<Ns>, 2> lags;
  for (const auto& [rank, run] : peers) {
    const ReplayGraph::Node to = launch_node(rank, run);
    const auto sources = graph_.sources(to);
    for (std::uint32_t s = 0; s < sources.size(); ++s)
      lags[(sources[s] - base_[rank]) % 2].push_back(graph_.lag(graph_.first_edge(to) + s));
  }
  return lags;
}

JobReplay::Changes JobReplay::changes_of(std::uint32_t r) const {
  constexpr std::size_t kPeers = 15;
  Changes changes;
  std::vector<std::uint32_t> peers;
  for (const std::uint32_t p : used_)
    if (p != r && comparison_.role_of(p) == comparison_.role_of(r)) peers.push_back(p);
  if (peers.empty())
    for (const std::uint32_t p : used_)
      if (p != r) peers.push_back(p);
  if (peers.size() > kPeers) {
    std::vector<std::uint32_t> few;
    for (std::size_t i = 0; i < kPeers; ++i) few.push_back(peers[i * peers.size() / kPeers]);
    peers = std::move(few);
  }
  const auto means_of = [&](std::uint32_t rank) {
    std::unordered_map<NameId, std::pair<double, double>> sums;
    for (const RankRun& run : runs(rank))
      if (run.kind != RunKind::communication) {
        sums[run.name].first += static_cast<double>(run.time.length());
        sums[run.name].second += 1;
      }
    return sums;
  };
  std::unordered_map<NameId, double>
      ratios;  // ratio of the peers' mean to the rank's, by name; computed if steps differ
  const auto ratio_of = [&](NameId name) {
    if (ratios.empty()) {
      std::unordered_map<NameId, std::vector<double>> theirs;
      for (const std::uint32_t p : peers)
        for (const auto& [of, sum] : means_of(p)) theirs[of].push_back(sum.first / sum.second);
      for (const auto& [of, sum] : means_of(r)) {
        double& ratio = ratios.try_emplace(of, 1).first->second;
        const auto found = theirs.find(of);
        if (found == theirs.end() || sum.first <= 0) continue;
        ratio = median_of(found->second) / (sum.first / sum.second);
      }
    }
    return ratios[name];
  };
  const auto replace_lags = [&](std::uint32_t run, std::span<const std::pair<std::uint32_t, std::uint32_t>> others) {
    auto lags = lags_at(others);
    const ReplayGraph::Node to = launch_node(r, run);
    const auto sources = graph_.sources(to);
    for (std::uint32_t s = 0; s < sources.size(); ++s) {
      std::vector<Ns>& theirs = lags[(sources[s] - base_[r]) % 2];
      if (!theirs.empty()) changes.lags.emplace_back(graph_.first_edge(to) + s, median_of(theirs));
    }
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> others;
  std::vector<Ns> durations;
  for (const Segment& segment : segments_[r]) {
    std::vector<std::pair<std::uint32_t, const Segment*>> same;
    others.clear();
    for (const std::uint32_t p : peers) {
      if (const Segment* const equal = find_segment(p, segment, true)) same.emplace_back(p, equal);
      if (const Segment* const any = find_segment(p, segment, false)) others.emplace_back(p, launches_[p][any->first]);
    }
    replace_lags(launches_[r][segment.first], others);
    for (std::uint32_t k = segment.first; k < segment.last; ++k) {
      const std::uint32_t i = launches_[r][k];
      const RankRun& run = runs(r)[i];
      others.clear();
      durations.clear();
      for (const auto& [p, theirs] : same) {
        others.emplace_back(p, launches_[p][theirs->first + (k - segment.first)]);
        durations.push_back(runs(p)[others.back().second].time.length());
      }
      if (run.kind != RunKind::communication) {
        const Ns duration = durations.empty()
                                ? static_cast<Ns>(static_cast<double>(run.time.length()) * ratio_of(run.name))
                                : median_of(durations);
        changes.durations.emplace_back(run_node(r, i), duration);
      }
      if (k > segment.first && !others.empty()) replace_lags(i, others);
    }
  }
  return changes;
}

Ns JobReplay::replayed_span() {
  graph_.replay(durations_, lags_, times_);
  Ns first = std::numeric_limits<Ns>::max();
  Ns last = std::numeric_limits<Ns>::min();
  for (const std::uint32_t r : used_)
    for (std::uint32_t i = 0; i < runs(r).size(); ++i) {
      first = std::min(first, times_.starts[run_node(r, i)]);
      last = std::max(last, times_.ends[run_node(r, i)]);
    }
  return used_.empty() ? 0 : last - first;
}

Ns JobReplay::identity_span() { return replayed_span(); }

Ns JobReplay::span_with(std::span<const std::uint32_t> ranks) {
  for (const std::uint32_t r : ranks) {
    for (const auto& [node, duration] : changes_[r].durations) durations_[node] = duration;
    for (const auto& [edge, lag] : changes_[r].lags) lags_[edge] = lag;
  }
  const Ns span = replayed_span();
  for (const std::uint32_t r : ranks) {
    for (const auto& [node, duration] : changes_[r].durations) durations_[node] = graph_.duration(node);
    for (const auto& [edge, lag] : changes_[r].lags) lags_[edge] = graph_.lag(edge);
  }
  return span;
}

Ns JobReplay::span_without(std::uint32_t rank) {
  std::vector<std::uint32_t> others;
  for (const std::uint32_t r : used_)
    if (r != rank) others.push_back(r);
  return span_with(others);
}

}  // namespace warpscope::analysis
