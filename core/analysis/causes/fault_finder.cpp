#include "core/analysis/causes/fault_finder.hpp"

#include <algorithm>

#include "core/analysis/ranks/medians.hpp"

namespace warpscope::analysis {

namespace {

constexpr double kMostOfCost = 0.6;   // share of the cost for which a rank is named alone
constexpr double kLikeMost = 0.3;     // of the largest cost, for a rank to be named beside the largest
constexpr double kLikeLargest = 0.4;  // of the largest excess, for a value to be like it

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

void FaultFinder::name_ranks(Fault& fault, const StepCosts& steps) const {
  Ns most = 0;
  Ns above = 0;
  std::map<std::uint32_t, Ns> of_rank;
  std::map<std::uint32_t, Ns> excess;
  std::map<std::uint32_t, std::size_t> leads;  // number of steps in which the rank is among the slowest
  for (const auto& [step, costs] : steps) {
    std::vector<Ns> values(model_.ranks().size());  // also of ranks without any
    Ns largest = 0;
    std::size_t i = 0;
    for (const auto& [rank, cost] : costs) {
      values[i++] = cost;
      largest = std::max(largest, cost);
      of_rank[rank] += cost;
    }
    const Ns usual = median_of(values);
    most += largest;
    above += largest - usual;
    for (const auto& [rank, cost] : costs) {
      excess[rank] += std::max<Ns>(0, cost - usual);
      leads[rank] += 2 * (cost - usual) >= largest - usual ? 1 : 0;
    }
  }
  name_ranks(fault, 2 * above > most ? excess : of_rank);
  // If another rank is slow in each step, none is to blame.
  const auto rotates = [&](std::uint32_t rank) { return 2 * leads[rank] < steps.size(); };
  if (fault.ranks.size() > 1 && std::ranges::all_of(fault.ranks, rotates)) fault.all_ranks = true;
}

void FaultFinder::finish(Fault& fault, const std::map<NameId, Ns>& names, const std::map<std::uint32_t, Ns>& of_rank) {
  for (const auto& [rank, time] : of_rank) fault.cost = std::max(fault.cost, time / static_cast<Ns>(model_.steps()));
  const auto most = std::ranges::max_element(names, {}, [](const auto& each) { return each.second; });
  if (most != names.end()) fault.name = most->first;
  std::ranges::stable_sort(places_, std::greater(), [](const auto& place) { return place.first; });
  if (places_.size() > kFaultPlaces) places_.resize(kFaultPlaces);
  for (const auto& [time, slice] : places_) fault.places.push_back(slice);
  places_.clear();
}

}  // namespace warpscope::analysis
