#include "core/analysis/overview/product_work.hpp"

#include <algorithm>
#include <set>

namespace warpscope::analysis {

namespace {

constexpr double kPerNs = 1e3;  // TFLOP/s → operations per ns

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
  for (const CountedActivity& activity : counted.activity) {
    const GpuRow& row = activity.row;
    Launched& added = launched_.emplace_back();
    added.launch = row.launch ? rank.begin(*row.launch) : row.time.begin;
    if (!is_counted(activity) || row.time.length() <= 0) continue;
    const Call& call = calls[activity.call];
    const Problem& problem = book.problem(activity.problem);
    const DevicePeaks* const known = peaks.of(rank.devices[row.device].model);
    const double peak = known == nullptr ? 0 : known->of_products(problem.dtype, call.matrix_units) * kPerNs;
    const Amount whole{problem.flops, peak > 0 ? problem.flops : 0, peak > 0 ? problem.flops / peak : 0};
    added.amount = whole * (static_cast<double>(row.time.length()) / static_cast<double>(call.time));
  }
  std::ranges::stable_sort(launched_, {}, &Launched::launch);
}

ProductWork::Amount ProductWork::within(Interval time) const {
  Amount sum;
  for (auto each = std::ranges::lower_bound(launched_, time.begin, {}, &Launched::launch);
       each != launched_.end() && each->launch < time.end; ++each)
    sum = sum + each->amount;
  return sum;
}

std::optional<double> ProductWork::utilization(Interval time, Ns length) const {
  if (recorded_ == 0 || length <= 0) return std::nullopt;
  const Amount amount = within(time);
  if (amount.flops > 0 && amount.rated <= 0) return std::nullopt;
  return amount.shortest / static_cast<double>(length) / static_cast<double>(gpus_);
}

}  // namespace warpscope::analysis
