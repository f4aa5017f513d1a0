#include "core/analysis/shared/duration_spread.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/shared/statistics.hpp"

namespace warpscope::analysis {

void DurationSpread::add(Ns duration) {
  min_ = count_ == 0 ? duration : std::min(min_, duration);
  max_ = count_ == 0 ? duration : std::max(max_, duration);
  sum_ = saturating_add(sum_, duration);
  ++count_;
  const double distance = static_cast<double>(duration) - mean_;
  mean_ += distance / static_cast<double>(count_);
  squares_ += distance * (static_cast<double>(duration) - mean_);
}

void DurationSpread::merge(const DurationSpread& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const auto own = static_cast<double>(count_);
  const auto more = static_cast<double>(other.count_);
  const double distance = other.mean_ - mean_;
  mean_ += distance * more / (own + more);
  squares_ += other.squares_ + distance * distance * own * more / (own + more);
  count_ += other.count_;
  sum_ = saturating_add(sum_, other.sum_);
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double DurationSpread::stddev() const { return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1)); }

void SpreadsByName::add(NameId name, Ns duration) {
  std::uint32_t& place = place_[name];
  if (place == 0) {
    spreads_.push_back({name});
    place = static_cast<std::uint32_t>(spreads_.size());
  }
  spreads_[place - 1].durations.add(duration);
}

std::vector<NamedSpread> SpreadsByName::take() {
  for (const NamedSpread& each : spreads_) place_[*each.name] = 0;
  return std::exchange(spreads_, {});
}

Folding Folding::of(const ParameterValues& values, bool hta) {
  return {static_cast<std::size_t>(values.integer("num_kernels")), values.real(kDurationRatioParameter.name), hta};
}

namespace {

/// Returns running sums of the durations.
std::vector<Ns> running_sums(const std::vector<NamedSpread>& spreads) {
  std::vector<Ns> sums;
  sums.reserve(spreads.size());
  for (const NamedSpread& each : spreads)
    sums.push_back(saturating_add(sums.empty() ? 0 : sums.back(), each.durations.sum()));
  return sums;
}

/// Returns HTA's statistics of a name after folding, which treat its sum as a single value.
DurationSpread of_sum(const DurationSpread& durations) {
  DurationSpread sum;
  sum.add(durations.sum());
  return sum;
}

}  // namespace

std::vector<NamedSpread> fold(std::vector<NamedSpread> spreads, const StringTable& names, const Folding& folding) {
  std::ranges::sort(spreads, [&](const NamedSpread& a, const NamedSpread& b) {
    if (a.durations.sum() != b.durations.sum()) return a.durations.sum() > b.durations.sum();
    return names.view(*a.name) < names.view(*b.name);
  });
  if (folding.most_names == 0 || spreads.size() <= folding.most_names) return spreads;
  const std::vector<Ns> sums = running_sums(spreads);
  const double hta_limit = quantile(sums, folding.share);
  const double limit = folding.share * static_cast<double>(sums.back());
  const auto is_told = [&](std::size_t i) {
    if (folding.keep && folding.keep(*spreads[i].name)) return true;
    if (i >= folding.most_names) return false;
    if (folding.hta) return static_cast<double>(sums[i]) <= hta_limit;
    return folding.share >= 1 || (i == 0 ? limit > 0 : static_cast<double>(sums[i - 1]) < limit);
  };
  std::vector<NamedSpread> told;
  NamedSpread others;
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    const DurationSpread durations = folding.hta ? of_sum(spreads[i].durations) : spreads[i].durations;
    if (is_told(i))
      told.push_back({spreads[i].name, durations});
    else
      others.durations.merge(durations);
  }
  if (others.durations.count() > 0) told.push_back(others);
  return told;
}

void append_spread_columns(std::vector<Column>& columns) {
  columns.push_back(Column("sum", col::total).csv("sum (us)", 1000));
  columns.push_back(col::count);
  columns.push_back(col::us(col::max, "max (us)"));
  columns.push_back(col::us(col::min, "min (us)"));
  columns.push_back(col::us(col::stddev, "stddev"));
  columns.push_back(col::us(col::mean, "mean (us)"));
}

void append_spread_cells(std::vector<Cell>& cells, const DurationSpread& durations) {
  cells.insert(cells.end(), {durations.sum(), durations.count(), durations.max(), durations.min(), durations.stddev(),
                             durations.mean()});
}

}  // namespace warpscope::analysis
