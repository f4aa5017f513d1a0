// system_usage: quantiles of the system metrics of each node.
#include "core/analysis/shared/system_usage.hpp"

#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/sampled.hpp"

namespace warpscope::analysis::registered::system_usage {

namespace {

// The rows have different units.
constexpr std::array kCharts{ChartSpec{.table = "system-usage", .kind = ChartKind::none}};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Table table("system-usage", "System usage by node",
              {col::node, Column("metric", col::name), col::text("unit"), col::real("max"), col::real("p99"),
               col::real("p95"), col::real("p50"), col::real("min"), col::integer("samples")});
  for (const NodeUsage& usage : analysis::system_usage(input.profile, input.scope.on_job()))
    table.add_row({input.profile.nodes[usage.node].label, usage.metric, usage.unit, usage.max, usage.p99, usage.p95,
                   usage.p50, usage.min, usage.samples});
  table.note = table.rows() == 0 ? "There are no system metrics."
                                 : "GPU, CPU, GPU memory and I/O wait are averaged over the GPUs or cores at each "
                                   "sample.";
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{
    "system_usage",
    "System usage",
    "Maximum, minimum, and 50th, 95th and 99th percentiles of each node's system metrics, as in SageMaker Debugger's "
    "report, and of its disk and performance counters. Requires system metrics.",
    {},
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::system_usage
