#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/analysis/causes/fault_finder.hpp"
#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/ingest/format/event_text.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kSlowGpu = 1.04;   // ratio between neighbours in the sorted totals that separates slow ranks
constexpr double kSameRatio = 1.4;  // between the excesses of ranks that are slow for one reason
constexpr double kSlowHost = 1.25;
constexpr double kHeavyStage = 1.1;
constexpr double kLeastOfStep = 0.02;  // of the step time, for a difference between ranks to matter
constexpr Ns kLeastPause = 50'000;
constexpr double kPause = 3;        // times the usual
constexpr double kSlowCell = 0.03;  // of the step time

class PeerFaults : FaultFinder {
 public:
  using FaultFinder::FaultFinder;

  std::vector<Fault> all() {
    for (const auto& [role, cells] : of_role_) {
      if (cancelled(input_.cancel)) return {};
      compare_peers(cells);
    }
    merge_slow_gpus();
    add_pauses();
    compare_stages();
    return std::move(found_);
  }

 private:
  /// True if host time that is longer than usual by `more` is a single delay, not a slow host.
  [[nodiscard]] static bool is_pause(Ns lag, Ns more) {
    return more > kLeastPause && static_cast<double>(lag) > kPause * static_cast<double>(lag - more);
  }

  [[nodiscard]] std::unordered_map<NameId, CellTotals> totals_by_name(const StepCell& cell) const {
    std::unordered_map<NameId, CellTotals> sums;
    for (std::uint32_t k = cell.first; k < cell.last; ++k) {
      CellTotals& sum = sums[run_at(cell.rank, k).name];
      sum.gpu += run_at(cell.rank, k).time.length();
      sum.host += model_.host_lag(cell.rank, k).ordinary;
    }
    return sums;
  }

  /// Durations and host times that are usual for a position in a step; where steps differ, scaled so that they add up
  /// to the usual total of their name.
  struct Usual {
    std::vector<Ns> gpu;  // by position
    std::vector<Ns> host;
  };
  using UsualOfCells = std::map<std::uint32_t, std::shared_ptr<const Usual>>;  // shared by cells of the same shape

  /// Returns the median over `cells` of each position, without those of the ranks in `without` if others remain.
  template <class Value>
  std::vector<Ns> usual_of(const std::vector<std::uint32_t>& cells, const std::set<std::uint32_t>& without,
                           Value value) const {
    std::vector<std::uint32_t> used;
    for (const std::uint32_t c : cells)
      if (!without.contains(model_.cells()[c].rank)) used.push_back(c);
    if (used.empty()) used = cells;
    const StepCell& any = model_.cells()[cells.front()];
    std::vector<Ns> usual;
    usual.reserve(any.last - any.first);
    std::vector<Ns> values;
    for (std::uint32_t k = 0; k < any.last - any.first; ++k) {
      values.clear();
      for (const std::uint32_t c : used) values.push_back(value(model_.cells()[c].rank, model_.cells()[c].first + k));
      usual.push_back(upper_median(values));
    }
    return usual;
  }

  void compare_peers(const std::vector<std::uint32_t>& cells) {
    const Values gpu = medians(cells, &CellTotals::gpu);
    const double least = kLeastOfStep * step_;
    const std::set<std::uint32_t> slow_gpus = above_gap(gpu, kSlowGpu, least);
    const std::set<std::uint32_t> slow_hosts = above_gap(medians(cells, &CellTotals::host), kSlowHost, least);
    std::set<std::uint32_t> only_hosts;
    std::ranges::set_difference(slow_hosts, slow_gpus, std::inserter(only_hosts, only_hosts.end()));
    std::map<std::uint64_t, std::vector<std::uint32_t>> shapes;
    for (const std::uint32_t c : cells)
      shapes[model_.cells()[c].names ^ (std::uint64_t{model_.cells()[c].last} - model_.cells()[c].first)].push_back(c);
    // Usual totals of a step by name, for steps of a shape that no other step has.
    std::unordered_map<NameId, std::pair<double, double>> of_name;
    const auto names = [&]() -> const auto& {
      if (!of_name.empty()) return of_name;
      std::unordered_map<NameId, std::pair<std::vector<double>, std::vector<double>>> values;
      for (const std::uint32_t c : cells) {
        const StepCell& cell = model_.cells()[c];
        for (const auto& [name, sum] : totals_by_name(cell)) {
          if (!slow_gpus.contains(cell.rank)) values[name].first.push_back(static_cast<double>(sum.gpu));
          if (!slow_hosts.contains(cell.rank)) values[name].second.push_back(static_cast<double>(sum.host));
        }
      }
      for (auto& [name, each] : values)
        of_name[name] = {each.first.empty() ? -1 : upper_median(each.first),
                         each.second.empty() ? -1 : upper_median(each.second)};
      return of_name;
    };
    UsualOfCells usual;
    for (const auto& [shape, same] : shapes) {
      const bool compares = same.size() > 1;
      const auto of_shape = std::make_shared<Usual>();
      if (compares) {
        of_shape->gpu =
            usual_of(same, slow_gpus, [&](std::uint32_t r, std::uint32_t k) { return run_at(r, k).time.length(); });
        of_shape->host = usual_of(same, slow_hosts,
                                  [&](std::uint32_t r, std::uint32_t k) { return model_.host_lag(r, k).ordinary; });
      }
      bool only_slow = true;
      for (const std::uint32_t c : same) only_slow = only_slow && slow_gpus.contains(model_.cells()[c].rank);
      for (const std::uint32_t c : same) {
        usual[c] = of_shape;
        if (compares && !only_slow) continue;
        const StepCell& cell = model_.cells()[c];
        const auto own = totals_by_name(cell);
        const auto scaled = [](Ns time, double to, Ns from) {
          return to < 0 || from <= 0 ? time
                                     : static_cast<Ns>(static_cast<double>(time) * to / static_cast<double>(from));
        };
        const auto by_name = std::make_shared<Usual>();
        for (std::uint32_t k = cell.first; k < cell.last; ++k) {
          const RankRun& run = run_at(cell.rank, k);
          const auto found = names().find(run.name);
          const auto to = found == names().end() ? std::pair(-1.0, -1.0) : found->second;
          by_name->gpu.push_back(scaled(run.time.length(), to.first, own.at(run.name).gpu));
          by_name->host.push_back(scaled(model_.host_lag(cell.rank, k).ordinary, to.second, own.at(run.name).host));
        }
        if (compares) by_name->host = of_shape->host;
        usual[c] = by_name;
      }
    }
    slow_gpus_.insert(slow_gpus.begin(), slow_gpus.end());
    add_slow_gpus(cells, usual, slow_gpus);
    add_slow_steps(cells, usual, slow_gpus);
    collect_host(cells, usual, only_hosts, slow_gpus);
  }

  /// Adds what exceeds the usual duration of kernels and memory operations in a cell; returns the excess.
  ///
  /// While the launch queue is full, the host is as slow as the GPU, so its excess is part of the change.
  Ns add_gpu_excess(const StepCell& cell, const Usual& usual, Fault& fault, Excess& sum) {
    Ns excess = 0;
    for (std::uint32_t k = cell.first; k < cell.last; ++k) {
      const RankRun& run = run_at(cell.rank, k);
      const Ns lag = model_.host_lag(cell.rank, k).ordinary;
      const Ns later = lag - usual.host[k - cell.first];
      if (!is_pause(lag, later)) model_.shorten_host(cell.rank, k, later, fault.change);
      if (!is_gpu_work(run.kind)) continue;
      const Ns more = run.time.length() - usual.gpu[k - cell.first];
      excess += more;
      Excess::Sum& of_name = sum.kinds[run.kind][run.name];
      of_name.usual += usual.gpu[k - cell.first];
      of_name.more += more;
      if (more == 0) continue;
      fault.change.durations.emplace_back(node_at(cell.rank, k), more);
      if (more > 0) places_.push_back({more, {cell.rank, run.slice}});
    }
    return excess;
  }

  void add_slow_gpus(const std::vector<std::uint32_t>& cells, const UsualOfCells& usual,
                     const std::set<std::uint32_t>& slow) {
    if (slow.empty()) return;
    Fault fault{.kind = FaultKind::slow_gpu, .ranks = {slow.begin(), slow.end()}};
    std::map<std::uint32_t, Ns> of_rank;
    Excess sum;
    for (const std::uint32_t c : cells) {
      const StepCell& cell = model_.cells()[c];
      if (slow.contains(cell.rank)) of_rank[cell.rank] += add_gpu_excess(cell, *usual.at(c), fault, sum);
    }
    sum.describe(fault);
    finish(fault, {}, of_rank);
    fault.work = work_ratio(fault, cells, slow);
    found_.push_back(std::move(fault));
  }

  /// Ranks of several roles that are slow by about the same ratio have one cause, such as a hot node.
  void merge_slow_gpus() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_[i].kind != FaultKind::slow_gpu) continue;
      for (std::size_t j = found_.size() - 1; j > i; --j) {
        Fault& one = found_[i];
        Fault& other = found_[j];
        const double apart = one.ratio > 1 ? (other.ratio - 1) / (one.ratio - 1) : 0;
        const bool alike = one.memory == other.memory && apart >= 1 / kSameRatio && apart <= kSameRatio;
        if (other.kind != FaultKind::slow_gpu || !alike) continue;
        one.ranks.insert(one.ranks.end(), other.ranks.begin(), other.ranks.end());
        std::ranges::sort(one.ranks);
        if (other.cost > one.cost) {
          one.name = other.name;
          one.name_ratio = other.name_ratio;
          one.some_kernels = other.some_kernels;
          one.ratio = other.ratio;
          one.work = other.work;
          one.cost = other.cost;
          one.places.swap(other.places);
        }
        one.places.insert(one.places.end(), other.places.begin(), other.places.end());
        one.places.resize(std::min(one.places.size(), kFaultPlaces));
        one.change.durations.insert(one.change.durations.end(), other.change.durations.begin(),
                                    other.change.durations.end());
        one.change.lags.insert(one.change.lags.end(), other.change.lags.begin(), other.change.lags.end());
        found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(j));
      }
    }
  }

  /// Returns the number of blocks that a kernel launches; 0 if unknown.
  [[nodiscard]] double blocks_of(trace::SliceRef slice) const {
    constexpr std::string_view kGrid = "args.grid";
    double blocks = 0;
    const auto visit = [&](trace::SliceOrdinal, const ingest::EventText& event) {
      const std::string* const text = event.find(kGrid);
      if (text == nullptr) return;
      blocks = 1;
      for (std::size_t at = text->find_first_of("0123456789"); at != std::string::npos;
           at = text->find_first_of("0123456789", at)) {
        const std::size_t end = text->find_first_not_of("0123456789", at);
        blocks *= std::strtod(text->substr(at, end - at).c_str(), nullptr);
        if (end == std::string::npos) break;
        at = end;
      }
    };
    (void)read_events(input_, *profile_.ranks[slice.rank], {slice.slice}, std::span(&kGrid, 1), visit);
    return blocks;
  }

  /// Compares the kernel with the largest excess with the one at the same position on a rank that is not slow.
  [[nodiscard]] double work_ratio(const Fault& fault, const std::vector<std::uint32_t>& cells,
                                  const std::set<std::uint32_t>& slow) const {
    if (fault.places.empty()) return 0;
    const trace::SliceRef worst = fault.places.front();
    for (const std::uint32_t c : cells) {
      const StepCell& own = model_.cells()[c];
      if (own.rank != worst.rank) continue;
      for (std::uint32_t k = own.first; k < own.last; ++k) {
        if (run_at(own.rank, k).slice != worst.slice) continue;
        for (const std::uint32_t p : cells) {
          const StepCell& peer = model_.cells()[p];
          if (slow.contains(peer.rank) || peer.step != own.step || k - own.first >= peer.last - peer.first) continue;
          const RankRun& other = run_at(peer.rank, peer.first + (k - own.first));
          if (other.name != run_at(own.rank, k).name) continue;
          const double usual = blocks_of({peer.rank, other.slice});
          return usual > 0 ? blocks_of(worst) / usual : 0;
        }
        return 0;
      }
    }
    return 0;
  }

  /// Steps of ranks that are not slow as a whole.
  void add_slow_steps(const std::vector<std::uint32_t>& cells, const UsualOfCells& usual,
                      const std::set<std::uint32_t>& slow) {
    std::vector<std::pair<Ns, std::uint32_t>> excess;
    std::vector<double> spread;
    for (const std::uint32_t c : cells) {
      const StepCell& cell = model_.cells()[c];
      if (slow.contains(cell.rank)) continue;
      Ns own = 0;
      for (std::uint32_t k = cell.first; k < cell.last; ++k)
        if (is_gpu_work(run_at(cell.rank, k).kind))
          own += run_at(cell.rank, k).time.length() - usual.at(c)->gpu[k - cell.first];
      excess.emplace_back(own, c);
      spread.push_back(std::abs(static_cast<double>(own)));
    }
    if (excess.size() < 3) return;
    const double limit = std::max(kSlowCell * step_, 5 * 1.4826 * upper_median(spread));
    Fault fault{.kind = FaultKind::slow_steps};
    std::map<std::uint32_t, Ns> of_rank;
    std::set<NameId> steps;
    std::size_t slow_cells = 0;
    Excess sum;
    for (const auto& [own, c] : excess) {
      if (static_cast<double>(own) < limit) continue;
      const StepCell& cell = model_.cells()[c];
      add_gpu_excess(cell, *usual.at(c), fault, sum);
      of_rank[cell.rank] += own;
      ++slow_cells;
      steps.insert(cell.step.first);
    }
    if (of_rank.empty()) return;
    name_ranks(fault, of_rank);
    // Another rank in each step: none is to blame.
    if (fault.ranks.size() > 1 && steps.size() > 1 && 2 * slow_cells < fault.ranks.size() * model_.steps())
      fault.all_ranks = true;
    sum.describe(fault);
    finish(fault, {}, of_rank);
    if (steps.size() == 1 && *steps.begin() != 0) fault.step = *steps.begin();
    found_.push_back(std::move(fault));
  }

  struct Pause {
    std::uint32_t rank = 0;
    std::uint32_t position = 0;
    Ns time = 0;  // above the usual
    NameId step = 0;
  };

  void collect_host(const std::vector<std::uint32_t>& cells, const UsualOfCells& usual,
                    const std::set<std::uint32_t>& slow, const std::set<std::uint32_t>& explained) {
    Fault fault{.kind = FaultKind::slow_host, .ranks = {slow.begin(), slow.end()}};
    std::map<std::uint32_t, Ns> of_rank;
    double largest = 0;
    for (const std::uint32_t c : cells) {
      const StepCell& cell = model_.cells()[c];
      Ns rest = 0;
      Ns base = 0;
      std::vector<std::pair<std::uint32_t, Ns>> small;
      for (std::uint32_t k = cell.first; k < cell.last; ++k) {
        const Ns lag = model_.host_lag(cell.rank, k).ordinary;
        const Ns more = lag - usual.at(c)->host[k - cell.first];
        base += lag - more;
        // A call that always stalls at this place is usual here, but not for its name.
        const Ns pause = std::max(more, model_.host_lag(cell.rank, k).stalled);
        if (pause > more || is_pause(lag, more)) {
          pauses_.push_back({cell.rank, k, pause, cell.step.first});
          continue;
        }
        rest += more;
        if (more > 0) small.emplace_back(k, more);
      }
      const bool slow_cell =
          static_cast<double>(rest) > kSlowCell * step_ && static_cast<double>(rest) > 0.5 * static_cast<double>(base);
      if (explained.contains(cell.rank) || (!slow.contains(cell.rank) && !slow_cell)) continue;
      of_rank[cell.rank] += rest;
      if (static_cast<double>(rest) > largest && base > 0) {
        largest = static_cast<double>(rest);
        fault.ratio = 1 + largest / static_cast<double>(base);
      }
      for (const auto& [k, more] : small) {
        model_.shorten_host(cell.rank, k, more, fault.change);
        hosts_.push_back({cell.rank, k, more, cell.step.first});
      }
    }
    if (of_rank.empty()) return;
    if (slow.empty()) name_ranks(fault, of_rank);
    name_calls(fault, hosts_);
    hosts_.clear();
    finish(fault, {}, of_rank);
    found_.push_back(std::move(fault));
  }

  void add_pauses() {
    std::map<std::uint32_t, Ns> of_rank;
    Ns sum = 0;
    for (const Pause& pause : pauses_) {
      of_rank[pause.rank] += pause.time;
      sum += pause.time;
    }
    // A rank with many times the pauses of the others is a fault of its own.
    std::set<std::uint32_t> alone;
    for (const auto& [rank, time] : of_rank) {
      const Ns others = (sum - time) / static_cast<Ns>(std::max<std::size_t>(1, model_.ranks().size() - 1));
      if (model_.ranks().size() > 1 && time > 4 * others) alone.insert(rank);
    }
    std::vector<std::set<std::uint32_t>> sets;
    for (const std::uint32_t rank : alone) sets.push_back({rank});
    std::set<std::uint32_t> rest;
    for (const auto& [rank, time] : of_rank)
      if (!alone.contains(rank)) rest.insert(rank);
    if (!rest.empty()) sets.push_back(rest);
    for (const std::set<std::uint32_t>& ranks : sets) {
      Fault fault{.kind = FaultKind::pauses};
      std::vector<Pause> own;
      std::set<NameId> steps;
      std::map<std::uint32_t, Ns> times;
      for (const Pause& pause : pauses_) {
        if (!ranks.contains(pause.rank)) continue;
        own.push_back(pause);
        times[pause.rank] += pause.time;
        steps.insert(pause.step);
        model_.shorten_host(pause.rank, pause.position, pause.time, fault.change);
      }
      name_ranks(fault, times);
      name_calls(fault, own);
      if (steps.size() == 1 && *steps.begin() != 0) fault.step = *steps.begin();
      finish(fault, {}, times);
      found_.push_back(std::move(fault));
    }
  }

  /// Names the call with most of the time before the launches, and adds places.
  void name_calls(Fault& fault, const std::vector<Pause>& pauses) {
    std::map<NameId, Ns> names;
    for (const Pause& pause : pauses) {
      const trace::SliceOrdinal call = model_.host_lag(pause.rank, pause.position).call;
      const bool recorded = call != HostPiece::kNoCall;
      names[recorded ? profile_.ranks[pause.rank]->name(call) : NameId{0}] += pause.time;
      places_.push_back({pause.time, {pause.rank, recorded ? call : run_at(pause.rank, pause.position).slice}});
    }
    const auto most = std::ranges::max_element(names, {}, [](const auto& each) { return each.second; });
    if (most == names.end()) return;
    fault.name = most->first;
    Ns sum = 0;
    for (const auto& [name, time] : names) sum += time;
    fault.other_names = 2 * most->second <= sum;
  }

  /// Roles that exchange data point to point are pipeline stages; the heaviest is compared with the others.
  void compare_stages() {
    if (of_role_.size() < 2) return;
    const JobEvents& job = model_.comparison().matches().job;
    if (std::ranges::none_of(job.groups, &CollectiveGroup::point_to_point)) return;
    Values stages;
    for (const auto& [role, cells] : of_role_) {
      Values own = medians(cells, &CellTotals::gpu);
      std::vector<double> values;
      for (const auto& [value, rank] : own)
        if (!slow_gpus_.contains(rank)) values.push_back(value);
      if (values.empty())
        for (const auto& [value, rank] : own) values.push_back(value);
      stages.emplace_back(median_of(values), role);
    }
    const std::set<std::uint32_t> heavy = above_gap(stages, kHeavyStage, kLeastOfStep * step_);
    if (heavy.empty()) return;
    std::vector<double> others;
    for (const auto& [value, role] : stages)
      if (!heavy.contains(role)) others.push_back(value);
    const double usual = median_of(others);
    for (const auto& [value, role] : stages) {
      if (!heavy.contains(role)) continue;
      Fault fault{.kind = FaultKind::heavy_stage, .ratio = value / usual, .cost = static_cast<Ns>(value - usual)};
      std::set<std::uint32_t> ranks;
      for (const std::uint32_t c : of_role_.at(role)) {
        const StepCell& cell = model_.cells()[c];
        ranks.insert(cell.rank);
        for (std::uint32_t k = cell.first; k < cell.last; ++k) {
          const RankRun& run = run_at(cell.rank, k);
          if (!is_gpu_work(run.kind)) continue;
          const double part = 1 - usual / value;
          places_.push_back({run.time.length(), {cell.rank, run.slice}});
          fault.change.durations.emplace_back(node_at(cell.rank, k),
                                              static_cast<Ns>(static_cast<double>(run.time.length()) * part));
          model_.shorten_host(cell.rank, k,
                              static_cast<Ns>(static_cast<double>(model_.host_lag(cell.rank, k).ordinary) * part),
                              fault.change);
        }
      }
      fault.ranks = {ranks.begin(), ranks.end()};
      finish(fault, {}, {});
      found_.push_back(std::move(fault));
    }
  }

  std::set<std::uint32_t> slow_gpus_;
  std::vector<Pause> pauses_;
  std::vector<Pause> hosts_;
};

}  // namespace

std::vector<Fault> peer_faults(const AnalysisInput& input, const JobModel& model) {
  return PeerFaults(input, model).all();
}

}  // namespace warpscope::analysis
