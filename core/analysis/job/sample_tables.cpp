#include "core/analysis/job/sample_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/analysis/job/spread.hpp"
#include "core/analysis/request/tables.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::size_t kShownBins = 10;

}  // namespace

Table box_table(std::string id, std::string title, std::span<const NamedSamples> series) {
  std::vector<Column> columns{{"node", "", ColumnRole::node}, {"metric", "", ColumnRole::name}};
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
              {{"node", "", ColumnRole::node},
               {"GPU", "", ColumnRole::name},
               {"utilization", "", ColumnKind::text, ColumnRole::utilization},
               {"samples", "", ColumnRole::count},
               {"share", "", ColumnRole::share}});
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
  Table table("gpu-distances", "Distances between GPU utilization histograms",
              {{"node", "", ColumnRole::node},
               {"GPU", "", ColumnRole::name},
               {"other node", "", ColumnKind::text},
               {"other GPU", "", ColumnKind::text},
               {"distance", "", ColumnKind::real}});
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
