// memory_bw_time_series: bandwidth of memcpys and memsets over time.
#include <array>

#include "core/analysis/shared/curve_tables.hpp"
#include "core/analysis/shared/hta_columns.hpp"
#include "core/analysis/shared/memory_bandwidth.hpp"

namespace warpscope::analysis::registered::memory_bw_time_series {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Table table("memory-bw-time-series", "Memory bandwidth by operation over time",
              {{"rank", "", ColumnRole::rank, "rank"},
               {"device", "", ColumnRole::device, "pid"},
               {"kind", "", ColumnRole::kind, "name"},
               {"time", "", ColumnRole::start, "ts", 1000, csv_zero(input)},
               {"bandwidth", "B/s", ColumnKind::bytes, "memory_bw_gbps", 1'000'000'000}},
              "rank,ts,pid,name,memory_bw_gbps");
  MemoryBandwidths bandwidths(input, KernelClasses::hta_choice(input.values));
  for_each_curve(input, bandwidths, table, [&](const trace::Rank& rank, const MemoryBandwidth& each) {
    add_changes(table, input, {rank.number, rank.devices[each.device].id, each.kind}, each.rate);
  });
  std::vector<Table> tables;  // an initializer list would copy them
  tables.push_back(std::move(table));
  return tables;
}

}  // namespace

extern const Analysis kAnalysis{
    .name = "memory_bw_time_series",
    .title = "Memory bandwidth over time",
    .about =
        "Bandwidth of memcpys and memsets by kind, with one row per change. The rate is bytes divided by duration. If "
        "all durations are whole µs, recorded rates consistent with the duration are used, and the duration is "
        "recomputed as bytes divided by rate. HTA uses any rate in the trace, and merges memcpys across devices.",
    .parameters = kParameters,
    .run = run,
    .still_ours =
        "The rate is 0 where HTA's floating-point sums leave rounding errors. Simultaneous changes may be listed in a "
        "different order."};

}  // namespace warpscope::analysis::registered::memory_bw_time_series
