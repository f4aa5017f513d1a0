#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "core/analysis/causes/fault_finder.hpp"
#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/threads/parallel_for.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kSlowGroup = 1.3;
constexpr std::size_t kLeastSamples = 5;
constexpr double kBest = 0.1;  // quantile of the transfer times
constexpr double kSlowTransfer = 2;
constexpr double kOneStep = 0.8;  // of the cost, for it to be that of one step

/// Faults that need no peers, and process groups.
class OtherFaults : FaultFinder {
 public:
  using FaultFinder::FaultFinder;

  std::vector<Fault> all() {
    avoidable_work();
    callbacks();
    compare_groups();
    slow_transfers();
    limits();
    return std::move(found_);
  }

 private:
  void avoidable_work() {
    constexpr std::array kKinds{FaultKind::data_loader, FaultKind::compilation, FaultKind::allocation,
                                FaultKind::collection, FaultKind::checkpoint};
    for (std::size_t w = 0; w < kKinds.size(); ++w) {
      StepCosts steps;
      for (const auto& [c, ignored] : totals_) {
        const StepCell& cell = model_.cells()[c];
        for (const AvoidableCall& call : model_.avoidable_calls(cell.rank, cell.first, cell.last))
          if (call.work == static_cast<HostWork>(w)) steps[cell.step][cell.rank] += call.time;
      }
      if (steps.empty()) continue;
      const std::vector<std::uint32_t> named = above_peers(steps);
      if (!named.empty()) add_avoidable(kKinds[w], static_cast<HostWork>(w), steps, named, true);
      add_avoidable(kKinds[w], static_cast<HostWork>(w), steps, named, false);
    }
  }

  /// Adds what `named` have above the usual cost of each step, or everything else.
  void add_avoidable(FaultKind kind, HostWork work, const StepCosts& steps, const std::vector<std::uint32_t>& named,
                     bool above) {
    Fault fault{.kind = kind};
    std::map<std::uint32_t, Ns> of_rank;
    std::map<std::pair<NameId, std::uint32_t>, Ns> of_step;
    Ns sum = 0;
    for (const auto& [c, ignored] : totals_) {
      const StepCell& cell = model_.cells()[c];
      double share = 0;  // of the cost that is above the usual
      if (std::ranges::binary_search(named, cell.rank))
        if (const auto costs = steps.find(cell.step); costs != steps.end())
          if (const auto cost = costs->second.find(cell.rank); cost != costs->second.end())
            share =
                std::max(0.0, 1 - static_cast<double>(usual_cost(costs->second)) / static_cast<double>(cost->second));
      for (const AvoidableCall& call : model_.avoidable_calls(cell.rank, cell.first, cell.last)) {
        if (call.work != work) continue;
        const auto time = static_cast<Ns>(static_cast<double>(call.time) * (above ? share : 1 - share));
        if (time <= 0) continue;
        model_.shorten_host(cell.rank, call.position, time, fault.change);
        of_rank[cell.rank] += time;
        of_step[cell.step] += time;
        sum += time;
        const trace::SliceRef place{cell.rank, call.slice};
        if (places_.empty() || places_.back().second != place) places_.push_back({0, place});
        places_.back().first += time;
      }
    }
    if (of_rank.empty()) return;
    name_ranks(fault, of_rank);
    if (above) {
      fault.ranks = named;
      fault.all_ranks = false;
    }
    const auto most = std::ranges::max_element(of_step, {}, [](const auto& each) { return each.second; });
    if (model_.steps() > 1 && most->first.first != 0 &&
        static_cast<double>(most->second) > kOneStep * static_cast<double>(sum))
      fault.step = most->first.first;
    finish(fault, {}, of_rank);
    found_.push_back(std::move(fault));
  }

  void callbacks() {
    Fault fault{.kind = FaultKind::callbacks};
    std::map<std::uint32_t, Ns> of_rank;
    std::map<NameId, Ns> names;
    for (const auto& [c, ignored] : totals_) {
      const StepCell& cell = model_.cells()[c];
      for (std::uint32_t k = cell.first; k < cell.last; ++k) {
        const RankRun& run = run_at(cell.rank, k);
        if (run.kind != RunKind::callback || run.time.empty()) continue;
        fault.change.durations.emplace_back(node_at(cell.rank, k), run.time.length());
        of_rank[cell.rank] += run.time.length();
        names[run.name] += run.time.length();
        places_.push_back({run.time.length(), {cell.rank, run.slice}});
      }
    }
    if (of_rank.empty()) return;
    name_ranks(fault, of_rank);
    finish(fault, names, of_rank);
    found_.push_back(std::move(fault));
  }

  /// Calls visit(collective index, member's rank, its node, duration) for the transfers of the evaluated steps.
  template <class Visit>
  void for_each_transfer(Visit visit) const {
    for (const auto& [c, ignored] : totals_) {
      const StepCell& cell = model_.cells()[c];
      for (std::uint32_t k = cell.first; k < cell.last; ++k) {
        const RankRun& run = run_at(cell.rank, k);
        if (run.kind != RunKind::communication) continue;
        const ReplayGraph::Node node = node_at(cell.rank, k);
        visit(run, cell.rank, node, std::max<Ns>(0, model_.duration(node)));
      }
    }
  }

  void compare_groups() {
    const JobCollectives& matches = model_.comparison().matches();
    // By signature and size: transfers by group.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, std::vector<double>>> kinds;
    for_each_transfer([&](const RankRun& run, std::uint32_t, ReplayGraph::Node, Ns time) {
      if (run.collective == kNoIndex) return;
      const JobCollective& collective = matches.collectives[run.collective];
      if (matches.group(collective).point_to_point) return;
      kinds[{collective.signature, collective.count}][collective.group].push_back(static_cast<double>(time));
    });
    std::map<std::uint32_t, std::map<std::pair<std::uint32_t, std::uint32_t>, double>> slow;  // usual, by group
    std::map<std::uint32_t, Fault> faults;
    for (auto& [kind, groups] : kinds) {
      if (groups.size() < 2) continue;
      Values values;
      for (auto& [group, times] : groups) values.emplace_back(median_of(times), group);
      const std::set<std::uint32_t> above = above_gap(values, kSlowGroup, 1'000);
      std::vector<double> usual;
      for (const auto& [value, group] : values)
        if (!above.contains(group)) usual.push_back(value);
      if (above.empty() || usual.empty()) continue;
      for (const auto& [value, group] : values)
        if (above.contains(group)) {
          const double other = slow[group][kind] = median_of(usual);
          const double ratio = value / std::max(1.0, other);
          Fault& fault = faults.try_emplace(group, Fault{.kind = FaultKind::slow_group, .group = group}).first->second;
          if (ratio <= fault.ratio) continue;
          fault.ratio = ratio;
          fault.transfer = {kind.first, static_cast<Ns>(value), static_cast<Ns>(other)};
        }
    }
    for (auto& [index, fault] : faults) {
      const std::uint32_t group = index;
      const auto& usual = slow[group];
      std::map<std::uint32_t, Ns> of_rank;
      for_each_transfer([&](const RankRun& run, std::uint32_t rank, ReplayGraph::Node node, Ns time) {
        if (run.collective == kNoIndex) return;
        const JobCollective& collective = matches.collectives[run.collective];
        if (collective.group != group) return;
        const auto found = usual.find({collective.signature, collective.count});
        if (found == usual.end() || static_cast<double>(time) <= found->second) return;
        const Ns more = time - static_cast<Ns>(found->second);
        fault.change.durations.emplace_back(node, more);
        of_rank[rank] += more;
        places_.push_back({more, {rank, run.slice}});
      });
      for (const auto& [rank, time] : of_rank) fault.ranks.push_back(rank);
      finish(fault, {}, of_rank);
      found_.push_back(std::move(fault));
    }
  }

  void slow_transfers() {
    const JobCollectives& matches = model_.comparison().matches();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> kinds;  // by group and signature
    const auto key_of = [&](const RankRun& run) {
      const JobCollective& collective = matches.collectives[run.collective];
      return std::pair(collective.group, collective.signature);
    };
    for_each_transfer([&](const RankRun& run, std::uint32_t, ReplayGraph::Node, Ns time) {
      if (run.collective != kNoIndex) kinds[key_of(run)].push_back(static_cast<double>(time));
    });
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> best;
    for (auto& [key, times] : kinds) {
      if (times.size() < kLeastSamples) continue;
      const auto at = times.begin() + static_cast<std::ptrdiff_t>(kBest * static_cast<double>(times.size() - 1));
      std::ranges::nth_element(times, at);
      best[key] = *at;
    }
    Fault fault{.kind = FaultKind::slow_transfers};
    std::map<std::uint32_t, Ns> of_rank;
    for_each_transfer([&](const RankRun& run, std::uint32_t rank, ReplayGraph::Node node, Ns time) {
      if (run.collective == kNoIndex) return;
      const auto found = best.find(key_of(run));
      if (found == best.end() || static_cast<double>(time) <= kSlowTransfer * found->second) return;
      const Ns more = time - static_cast<Ns>(found->second);
      fault.change.durations.emplace_back(node, more);
      of_rank[rank] += more;
      places_.push_back({more, {rank, run.slice}});
    });
    fault.all_ranks = true;
    finish(fault, {}, of_rank);
    found_.push_back(std::move(fault));
  }

  /// What would help any job: a host that does not wait, a host that launches at once, transfers that take no time.
  void limits() {
    Fault waits{.kind = FaultKind::waits, .all_ranks = true};
    Fault launches{.kind = FaultKind::launches, .all_ranks = true};
    Fault communication{.kind = FaultKind::communication, .all_ranks = true};
    std::size_t positions = 0;
    for (const auto& [c, ignored] : totals_) positions += model_.cells()[c].last - model_.cells()[c].first;
    launches.change.lags.reserve(2 * positions);
    for (const auto& [c, ignored] : totals_) {
      const StepCell& cell = model_.cells()[c];
      for (std::uint32_t k = cell.first; k < cell.last; ++k) {
        model_.remove_wait(cell.rank, k, waits.change);
        model_.shorten_host(cell.rank, k, model_.host_lag(cell.rank, k).ordinary, launches.change);
      }
    }
    for_each_transfer([&](const RankRun&, std::uint32_t, ReplayGraph::Node node, Ns time) {
      if (time > 0) communication.change.durations.emplace_back(node, time);
    });
    for (Fault* const fault : {&waits, &launches, &communication}) found_.push_back(std::move(*fault));
  }
};

}  // namespace

std::vector<Fault> fault_candidates(const AnalysisInput& input, JobModel& model) {
  std::vector<Fault> found;
  std::vector<Fault> others;
  const std::array<std::function<void()>, 3> tasks{[&] { found = peer_faults(input, model); }, [&] { model.prepare(); },
                                                   [&] { others = OtherFaults(input, model).all(); }};
  parallel_for(tasks.size(), analysis_threads(), [&](std::size_t i) { tasks[i](); });
  std::ranges::move(others, std::back_inserter(found));
  constexpr std::array kOnGpu{FaultKind::slow_gpu,   FaultKind::slow_steps,     FaultKind::heavy_stage,
                              FaultKind::slow_group, FaultKind::slow_transfers, FaultKind::communication};
  std::erase_if(found, [&](const Fault& fault) {
    const bool by_host = std::ranges::find(kOnGpu, fault.kind) == kOnGpu.end();
    return fault.change.empty() || (by_host && model.clocks_contradict());
  });
  return found;
}

}  // namespace warpscope::analysis
