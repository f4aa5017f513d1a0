#include "core/analysis/job/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/shared/statistics.hpp"

namespace warpscope::analysis {

namespace {

// After p50, in this order; box_columns() relies on it.
constexpr std::array kBoxColumns{"p25", "p75", "p5", "p95", "lower whisker", "upper whisker", "min", "max"};

}  // namespace

Box box_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  Box box{values.size(),
          values.front(),
          quantile(values, 0.05),
          quantile(values, 0.25),
          quantile(values, 0.5),
          quantile(values, 0.75),
          quantile(values, 0.95),
          values.back(),
          0,
          0};
  const double range = box.p75 - box.p25;
  box.lower = std::max(box.p25 - 1.5 * range, box.min);
  box.upper = std::min(box.p75 + 1.5 * range, box.max);
  return box;
}

void append_box_columns(std::vector<Column>& columns) {
  columns.emplace_back("p50", "", ColumnKind::share, ColumnRole::median);
  for (const char* const name : kBoxColumns) columns.emplace_back(name, "", ColumnKind::share);
  columns.emplace_back("samples", "", ColumnRole::samples);
}

void append_box_cells(std::vector<Cell>& cells, const Box& box) {
  for (const double value : {box.p50, box.p25, box.p75, box.p5, box.p95, box.lower, box.upper, box.min, box.max})
    cells.emplace_back(value / 100);
  cells.emplace_back(static_cast<std::int64_t>(box.count));
}

std::optional<BoxColumns> box_columns(const Table& table) {
  const auto p50 = table.find_role(ColumnRole::median);
  if (!p50 || *p50 + kBoxColumns.size() + 1 >= table.columns().size()) return std::nullopt;
  if (table.columns()[*p50 + kBoxColumns.size() + 1].role != ColumnRole::samples) return std::nullopt;
  return BoxColumns{*p50 + 5, *p50 + 1, *p50, *p50 + 2, *p50 + 6};
}

Workload workload_of(std::span<const double> percentages) {
  Workload counts{};
  for (const double value : percentages)
    counts[std::min(counts.size() - 1, static_cast<std::size_t>(std::max(0.0, value) / kWorkloadBin))] += 1;
  return counts;
}

AwsWorkload aws_workload_of(std::span<const double> percentages) {
  AwsWorkload counts{};
  for (const double value : percentages) {
    if (value < 0 || value > kWorkloadBin * static_cast<double>(counts.size())) continue;
    counts[std::min(counts.size() - 1, static_cast<std::size_t>(value / kWorkloadBin))] += 1;
  }
  return counts;
}

double workload_distance(std::span<const double> p, std::span<const double> q, bool of_counts) {
  const double all_p = std::accumulate(p.begin(), p.end(), 0.0);
  const double all_q = std::accumulate(q.begin(), q.end(), 0.0);
  if (all_p <= 0 || all_q <= 0) return 0;
  const double weight = of_counts ? all_p / (all_p + all_q) : 0.5;
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double share_p = p[i] / all_p;
    const double share_q = q[i] / all_q;
    const double middle = weight * share_p + (1 - weight) * share_q;
    if (share_p > 0) sum += share_p * std::log(share_p / middle) / 2;
    if (share_q > 0) sum += share_q * std::log(share_q / middle) / 2;
  }
  return std::sqrt(std::max(0.0, sum));
}

}  // namespace warpscope::analysis
