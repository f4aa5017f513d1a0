#include "core/analysis/causes/fault_finder.hpp"

#include <algorithm>
#include <ranges>

#include "core/analysis/ranks/medians.hpp"
#include "core/analysis/request/samples.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kMostOfCost = 0.6;   // share of the cost for which a rank is named alone
constexpr double kLikeMost = 0.3;     // of the largest cost, for a rank to be named beside the largest
constexpr double kLikeLargest = 0.4;  // of the largest excess, for a value to be like it
constexpr Ns kOutlier = 3;            // times the excess of all others
constexpr double kOnceAbove = 5;      // times the usual cost, for an excess in one step
constexpr double kOftenAbove = 0.5;   // for an excess in most steps
constexpr double kLeastAbove = 0.03;  // of the step time, for ranks to be named beside what all ranks have
constexpr double kAlikeSlow = 0.5;    // of the excess of the whole, for a kernel to be slow like the whole
constexpr double kMostKernels = 0.6;  // of the kernel time that is slower, for the GPU to be slow as a whole

double ratio_of(const Excess::Sum& sum) {
  return 1 + static_cast<double>(sum.more) / static_cast<double>(std::max<Ns>(1, sum.usual));
}

}  // namespace

std::set<std::uint32_t> above_gap(Values values, double ratio, double least) {
  std::ranges::sort(values);
  std::set<std::uint32_t> above;
  const std::size_t half = (values.size() + 1) / 2;
  for (std::size_t i = std::max<std::size_t>(1, values.size() - half); i < values.size(); ++i) {
    const double below = values[i - 1].first;
    if (above.empty() && (values[i].first < ratio * below || values[i].first - below < least)) continue;
    above.insert(values[i].second);
  }
  if (above.empty() || above.size() == values.size()) return above;
  // Values far below the largest have another cause, or none.
  const double usual = values[(values.size() - above.size()) / 2].first;
  const double least_excess = kLikeLargest * (values.back().first - usual);
  for (const auto& [value, key] : values)
    if (value - usual < least_excess) above.erase(key);
  return above;
}

void Excess::describe(Fault& fault) const {
  Sum most;
  const std::map<NameId, Sum>* names = nullptr;
  for (const auto& [kind, of_kind] : kinds) {
    Sum all;
    for (const auto& [name, sum] : of_kind) all = {all.usual + sum.usual, all.more + sum.more};
    if (all.usual <= 0 || all.more <= most.more) continue;
    most = all;
    names = &of_kind;
    fault.memory = kind == RunKind::memory;
  }
  if (names == nullptr) return;
  fault.ratio = ratio_of(most);
  const auto& [name, largest] =
      *std::ranges::max_element(*names, {}, [](const auto& each) { return each.second.more; });
  fault.name = name;
  fault.name_ratio = ratio_of(largest);
  Ns slower = 0;  // usual time of names that are slower by at least half of the ratio
  for (const auto& [other, sum] : *names)
    if (ratio_of(sum) - 1 >= kAlikeSlow * (fault.ratio - 1)) slower += sum.usual;
  fault.some_kernels = static_cast<double>(slower) < kMostKernels * static_cast<double>(most.usual);
}

FaultFinder::FaultFinder(const AnalysisInput& input, const JobModel& model)
    : input_(input), profile_(input.profile), model_(model), step_(static_cast<double>(model.step_time())) {
  for (std::uint32_t c = 0; c < model.cells().size(); ++c) {
    const StepCell& cell = model.cells()[c];
    if (!cell.evaluated) continue;
    totals_[c] = totals_of(cell);
    of_role_[role(cell.rank)].push_back(c);
  }
}

CellTotals FaultFinder::totals_of(const StepCell& cell) const {
  CellTotals totals;
  for (std::uint32_t k = cell.first; k < cell.last; ++k) {
    const RankRun& run = run_at(cell.rank, k);
    if (is_gpu_work(run.kind)) totals.gpu += run.time.length();
    totals.host += model_.host_lag(cell.rank, k).ordinary;
  }
  return totals;
}

Values FaultFinder::medians(const std::vector<std::uint32_t>& cells, Ns CellTotals::*figure) const {
  std::map<std::uint32_t, std::vector<double>> of_rank;
  for (const std::uint32_t c : cells)
    of_rank[model_.cells()[c].rank].push_back(static_cast<double>(totals_.at(c).*figure));
  Values values;
  for (auto& [rank, own] : of_rank) values.emplace_back(median_of(own), rank);
  return values;
}

void FaultFinder::name_ranks(Fault& fault, const std::map<std::uint32_t, Ns>& of_rank) const {
  Ns sum = 0;
  Ns most = 0;
  for (const auto& [rank, time] : of_rank) {
    sum += time;
    most = std::max(most, time);
  }
  std::vector<std::uint32_t> named;
  for (const auto& [rank, time] : of_rank)
    if (static_cast<double>(time) >= kLikeMost * static_cast<double>(most)) named.push_back(rank);
  fault.ranks = named;
  fault.all_ranks = model_.ranks().size() > 1 && 2 * named.size() > model_.ranks().size();
  if (static_cast<double>(most) > kMostOfCost * static_cast<double>(sum) && model_.ranks().size() > 1) {
    fault.all_ranks = false;
    std::erase_if(fault.ranks, [&](std::uint32_t rank) { return of_rank.at(rank) != most; });
  }
}

std::vector<std::uint32_t> FaultFinder::above_peers(const StepCosts& steps) const {
  if (model_.ranks().size() < 2) return {};
  std::map<std::uint32_t, std::vector<Ns>> excess;  // by rank, by step
  std::vector<Ns> usual;
  for (const auto& [step, costs] : steps) {
    usual.push_back(usual_cost(costs));
    for (const std::uint32_t rank : model_.ranks()) {
      const auto cost = costs.find(rank);
      excess[rank].push_back(cost == costs.end() ? 0 : std::max<Ns>(0, cost->second - usual.back()));
    }
  }
  const auto typical = static_cast<double>(median_of(usual));
  // Returns the ranks whose value is like the largest, if it matters and is far above the usual and all other ranks.
  const auto far_above = [&](const std::map<std::uint32_t, Ns>& values, double times_usual, double per_step) {
    std::vector<std::uint32_t> named;
    const Ns most = std::ranges::max(values | std::views::values);
    Ns least = most;
    Ns others = 0;
    for (const auto& [rank, value] : values) {
      if (static_cast<double>(value) < kLikeLargest * static_cast<double>(most)) {
        others = std::max(others, value);
        continue;
      }
      named.push_back(rank);
      least = std::min(least, value);
    }
    const bool few = 2 * named.size() <= model_.ranks().size();
    const bool far = least > kOutlier * others && static_cast<double>(least) > times_usual * typical;
    return few && far && static_cast<double>(most) * per_step >= kLeastAbove * step_ ? named
                                                                                     : std::vector<std::uint32_t>{};
  };
  // A delay in one step; other steps count as other ranks.
  std::pair<Ns, std::size_t> largest{-1, 0};
  for (const auto& [rank, own] : excess)
    for (std::size_t s = 0; s < own.size(); ++s) largest = std::max(largest, std::pair(own[s], s));
  std::map<std::uint32_t, Ns> in_step;
  std::map<std::uint32_t, Ns> in_most;
  Ns elsewhere = 0;
  for (auto& [rank, own] : excess) {
    in_step[rank] = own[largest.second];
    for (std::size_t s = 0; s < own.size(); ++s)
      if (s != largest.second) elsewhere = std::max(elsewhere, own[s]);
    in_most[rank] = upper_median(own);
  }
  std::vector<std::uint32_t> named = far_above(in_most, kOftenAbove, 1);
  if (named.empty() && largest.first > kOutlier * elsewhere)
    named = far_above(in_step, kOnceAbove, 1 / static_cast<double>(model_.steps()));
  return named;
}

Ns FaultFinder::usual_cost(const std::map<std::uint32_t, Ns>& costs) const {
  std::vector<Ns> values(model_.ranks().size());  // also of ranks without any
  std::ranges::copy(costs | std::views::values, values.begin());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

void FaultFinder::finish(Fault& fault, const std::map<NameId, Ns>& names, const std::map<std::uint32_t, Ns>& of_rank) {
  for (const auto& [rank, time] : of_rank) fault.cost = std::max(fault.cost, time / static_cast<Ns>(model_.steps()));
  const auto most = std::ranges::max_element(names, {}, [](const auto& each) { return each.second; });
  if (most != names.end()) fault.name = most->first;
  const auto named = [&](const auto& place) {
    return fault.name != 0 && profile_.ranks[place.second.rank]->name(place.second.slice) == fault.name;
  };
  const auto others = std::ranges::stable_partition(places_, named);
  const auto cost = [](const auto& place) { return place.first; };
  std::ranges::stable_sort(places_.begin(), others.begin(), std::greater(), cost);
  std::ranges::stable_sort(others, std::greater(), cost);
  if (places_.size() > kFaultPlaces) places_.resize(kFaultPlaces);
  for (const auto& [time, slice] : places_) fault.places.push_back(slice);
  places_.clear();
  if (!fault.step || fault.places.empty()) return;
  // The call is in the step before if the launch that it delays is the first of a step.
  const auto& [rank_index, slice] = fault.places.front();
  const trace::Rank& rank = *profile_.ranks[rank_index];
  if (rank.tracks[rank.track_of_lane(rank.locate(slice).lane)].kind == trace::TrackKind::stream) return;
  if (const auto step = step_at(rank, rank.begin(slice))) fault.step = rank.steps[*step].name;
}

}  // namespace warpscope::analysis
