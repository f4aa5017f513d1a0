#include "core/analysis/overview/product_work.hpp"

#include <algorithm>
#include <set>

namespace warpscope::analysis {

namespace {

constexpr double kPerNs = 1e3;  // TFLOP/s → operations per ns

/// Rates of work, per ns, that start or stop to apply at a time.
struct RateChange {
  Ns time = 0;
  ProductWork::Amount rate;
};

ProductWork::Amount operator+(const ProductWork::Amount& a, const ProductWork::Amount& b) {
  return {a.flops + b.flops, a.rated + b.rated, a.shortest + b.shortest};
}
ProductWork::Amount operator*(const ProductWork::Amount& amount, double factor) {
  return {amount.flops * factor, amount.rated * factor, amount.shortest * factor};
}

}  // namespace

ProductWork::ProductWork(const AnalysisInput& input, std::uint32_t r, const GpuRows::Rows& rows, ProblemBook& book,
                         PeaksOfModels& peaks) {
  const trace::Rank& rank = *input.profile.ranks[r];
  const CountedRank counted = counted_activity(input, r, rows, book);
  unread_ = counted.unread;
  struct Call {
    Ns time = 0;
    bool matrix_units = false;
  };
  std::vector<Call> calls(counted.calls);
  std::set<std::uint32_t> gpus;
  const auto is_counted = [&](const CountedActivity& activity) {
    return activity.counts_for == CountedActivity::For::call && is_product(book.problem(activity.problem).kind);
  };
  for (const CountedActivity& activity : counted.activity) {
    gpus.insert(activity.row.device);
    const Ns length = activity.row.time.length();
    if (activity.counts_for == CountedActivity::For::not_recorded && book.is_product(activity.op))
      not_recorded_ = saturating_add(not_recorded_, length);
    if (!is_counted(activity)) continue;
    recorded_ = saturating_add(recorded_, length);
    Call& call = calls[activity.call];
    call.time = saturating_add(call.time, length);
    call.matrix_units = call.matrix_units || book.uses_matrix_units(activity.row.name);
  }
  gpus_ = gpus.size();
  std::vector<RateChange> changes;
  for (const CountedActivity& activity : counted.activity) {
    if (!is_counted(activity) || activity.row.time.length() <= 0) continue;
    const Call& call = calls[activity.call];
    const Problem& problem = book.problem(activity.problem);
    const DevicePeaks* const known = peaks.of(rank.devices[activity.row.device].model);
    const double peak = known == nullptr ? 0 : known->of_products(problem.dtype, call.matrix_units) * kPerNs;
    const Amount whole{problem.flops, peak > 0 ? problem.flops : 0, peak > 0 ? problem.flops / peak : 0};
    const Amount rate = whole * (1 / static_cast<double>(call.time));
    changes.push_back({activity.row.time.begin, rate});
    changes.push_back({activity.row.time.end, rate * -1});
  }
  std::ranges::stable_sort(changes, {}, &RateChange::time);
  Amount sum;
  Amount rate;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!times_.empty() && changes[i].time > times_.back())
      sum = sum + rate * static_cast<double>(changes[i].time - times_.back());
    if (times_.empty() || changes[i].time > times_.back()) {
      times_.push_back(changes[i].time);
      sums_.push_back(sum);
    }
    rate = rate + changes[i].rate;
  }
}

ProductWork::Amount ProductWork::until(Ns time) const {
  const auto after = std::ranges::upper_bound(times_, time);
  const auto index = static_cast<std::size_t>(after - times_.begin());
  if (index == 0) return {};
  if (index == times_.size()) return sums_.back();
  const double part =
      static_cast<double>(time - times_[index - 1]) / static_cast<double>(times_[index] - times_[index - 1]);
  return sums_[index - 1] * (1 - part) + sums_[index] * part;
}

ProductWork::Amount ProductWork::within(Interval time) const { return until(time.end) + until(time.begin) * -1; }

std::optional<double> ProductWork::utilization(Interval time) const {
  if (recorded_ == 0 || time.length() <= 0) return std::nullopt;
  const Amount amount = within(time);
  // Rounding leaves a remainder of operations outside of products.
  const bool any = amount.flops > 1e-9 * sums_.back().flops;
  if (any && amount.rated <= 0) return std::nullopt;
  return std::max(0.0, amount.shortest) / static_cast<double>(time.length()) / static_cast<double>(gpus_);
}

}  // namespace warpscope::analysis
