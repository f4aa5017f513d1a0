// memory_bw_time_series: how fast memory was copied and set, over time.
#include <array>

#include "core/analysis/shared/curve_tables.hpp"
#include "core/analysis/shared/hta_columns.hpp"
#include "core/analysis/shared/memory_bandwidth.hpp"

namespace warpscope::analysis::registered::memory_bw_time_series {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Table table("memory-bw-time-series", "Memory bandwidth by kind of copy, over time",
              {{"rank", "", ColumnKind::identifier, "rank"},
               {"device", "", ColumnKind::identifier, "pid"},
               {"kind", "", ColumnKind::text, "name"},
               {"time", "", ColumnKind::time, "ts", 1000, csv_zero(input)},
               {"bandwidth", "B/s", ColumnKind::bytes, "memory_bw_gbps", 1'000'000'000}});
  table.csv_first = "rank,ts,pid,name,memory_bw_gbps";
  MemoryBandwidths bandwidths(input, KernelClasses::hta_choice(input.values));
  for_each_curve(input, bandwidths, table, [&](const trace::Rank& rank, const MemoryBandwidth& each) {
    add_changes(table, input, {rank.number, rank.devices[each.device].id, each.kind}, each.rate);
  });
  std::vector<Table> tables;  // a list of them in braces would be copied
  tables.push_back(std::move(table));
  return tables;
}

}  // namespace

extern const Analysis kAnalysis;
const Analysis kAnalysis{
    "memory_bw_time_series",
    "Memory bandwidth over time",
    "How fast copies and sets moved memory, by kind; a row for each change. The rate is bytes by duration, or where "
    "all "
    "durations are whole µs the one that the trace names, if it fits the duration; a copy then lasts its bytes by that "
    "rate. HTA takes what the trace names "
    "whatever it is, and copies of all devices as one.",
    kParameters,
    run,
    false,
    "What HTA's sums of fractions leave over where nothing moves is 0, and of changes at the very same time "
    "the order may differ."};

}  // namespace warpscope::analysis::registered::memory_bw_time_series
