#include "core/analysis/job/sample_tables.hpp"

#include <fmt/format.h>

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

double distance_of(const NamedSamples& a, const NamedSamples& b, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::aws)
    return workload_distance(aws_workload_of(a.values), aws_workload_of(b.values), true);
  return workload_distance(workload_of(a.values), workload_of(b.values));
}

Table distances_table(std::span<const NamedSamples> gpus, Arithmetic arithmetic) {
  Table table("gpu-distances", "Distances between GPU utilization histograms",
              {{"node", "", ColumnRole::node},
               {"GPU", "", ColumnRole::name},
               {"other node", "", ColumnKind::text},
               {"other GPU", "", ColumnKind::text},
               {"distance", "", ColumnKind::real}});
  for (std::size_t a = 0; a < gpus.size(); ++a)
    for (std::size_t b = a + 1; b < gpus.size(); ++b)
      table.add_row(
          {gpus[a].node, gpus[a].name, gpus[b].node, gpus[b].name, distance_of(gpus[a], gpus[b], arithmetic)});
  if (table.rows() == 0)
    table.note = "Requires at least two GPUs with samples.";
  else if (arithmetic == Arithmetic::aws)
    table.note = "Based on AWS's histograms, which have 2 % bins and drop samples above 98 %.";
  else
    table.note =
        "Square root of the Jensen-Shannon divergence of the two histograms (2 % bins): 0 if identical, 0.83 "
        "if disjoint.";
  return table;
}

}  // namespace warpscope::analysis
