#include "core/analysis/job/sample_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/analysis/request/tables.hpp"
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

namespace {

constexpr std::size_t kShownBins = 10;

}  // namespace

Table box_table(std::string id, std::string title, std::span<const NamedSamples> series) {
  std::vector<Column> columns{col::node, Column("metric", col::name)};
  append_box_columns(columns);
  Table table(std::move(id), std::move(title), std::move(columns));
  for (const NamedSamples& each : series) {
    if (each.values.empty()) continue;
    std::vector<Cell> cells{each.node, each.name};
    append_box_cells(cells, box_of({each.values.begin(), each.values.end()}));
    table.add_row(cells);
  }
  return table;
}

Table workload_table(std::span<const NamedSamples> gpus) {
  Table table("gpu-workload", "Utilization of each GPU",
              {col::node, Column("GPU", col::name), Column("utilization", ColumnKind::text, col::utilization),
               Column("samples", col::count), col::share});
  for (const NamedSamples& gpu : gpus) {
    const Workload bins = workload_of(gpu.values);
    const std::size_t joined = bins.size() / kShownBins;
    for (std::size_t b = 0; b < kShownBins; ++b) {
      double count = 0;
      for (std::size_t i = 0; i < joined; ++i) count += bins[b * joined + i];
      table.add_row({gpu.node, gpu.name, fmt::format("{} to {} %", b * 10, (b + 1) * 10),
                     static_cast<std::int64_t>(count), share_of(count, static_cast<double>(gpu.values.size()))});
    }
  }
  table.note = gpus.empty() ? "There are no GPU utilization samples." : "Samples by GPU utilization.";
  return table;
}

std::vector<GpuDistance> gpu_distances(std::span<const NamedSamples> gpus, Arithmetic arithmetic) {
  const bool aws = arithmetic == Arithmetic::aws;
  std::vector<std::vector<double>> histograms;
  histograms.reserve(gpus.size());
  for (const NamedSamples& gpu : gpus) {
    const Workload ours = workload_of(gpu.values);
    const AwsWorkload theirs = aws_workload_of(gpu.values);
    histograms.push_back(aws ? std::vector<double>(theirs.begin(), theirs.end())
                             : std::vector<double>(ours.begin(), ours.end()));
  }
  std::vector<std::size_t> compared(gpus.size());
  std::iota(compared.begin(), compared.end(), std::size_t{0});
  if (gpus.size() > kMostCompared) {
    std::vector<double> mean(histograms.front().size());
    for (const std::vector<double>& histogram : histograms)
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += histogram[i];
    std::vector<double> apart;
    for (const std::vector<double>& histogram : histograms) apart.push_back(workload_distance(histogram, mean));
    std::ranges::stable_sort(compared, std::ranges::greater(), [&](std::size_t gpu) { return apart[gpu]; });
    compared.resize(kMostCompared);
    std::ranges::sort(compared);
  }
  std::vector<GpuDistance> distances;
  for (auto a = compared.begin(); a != compared.end(); ++a)
    for (auto b = a + 1; b != compared.end(); ++b)
      distances.push_back({*a, *b, workload_distance(histograms[*a], histograms[*b], aws)});
  return distances;
}

Table distances_table(std::span<const NamedSamples> gpus, Arithmetic arithmetic) {
  Table table(
      "gpu-distances", "Distances between GPU utilization histograms",
      {col::node, Column("GPU", col::name), col::text("other node"), col::text("other GPU"), col::real("distance")});
  for (const GpuDistance& pair : gpu_distances(gpus, arithmetic))
    table.add_row({gpus[pair.a].node, gpus[pair.a].name, gpus[pair.b].node, gpus[pair.b].name, pair.distance});
  if (table.rows() == 0)
    table.note = "Requires at least two GPUs with samples.";
  else if (arithmetic == Arithmetic::aws)
    table.note = "Based on AWS's histograms, which have 2 % bins and drop samples above 98 %.";
  else
    table.note =
        "Square root of the Jensen-Shannon divergence of the two histograms (2 % bins): 0 if identical, 0.83 "
        "if disjoint.";
  if (gpus.size() > kMostCompared)
    table.note += fmt::format(" Shows the {} GPUs that differ most from the mean.", kMostCompared);
  return table;
}

}  // namespace warpscope::analysis
