// memory_bw_summary: bandwidth of memcpys and memsets.
#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/shared/curve_tables.hpp"
#include "core/analysis/shared/memory_bandwidth.hpp"

namespace warpscope::analysis::registered::memory_bw_summary {

namespace {

constexpr std::array kParameters{kHtaParameter, kRoundingParameter};
/// HTA's columns, in HTA's order.
constexpr std::string_view kHtaOrder =
    "rank,name,memory_bw_gbps_count,memory_bw_gbps_mean,memory_bw_gbps_std,memory_bw_gbps_min,"
    "memory_bw_gbps_25%,memory_bw_gbps_50%,memory_bw_gbps_75%,memory_bw_gbps_max";

/// Statistics of HTA's samples: positive values only.
CurveStatistics of_positive_samples(const StepCurve& rate) {
  std::vector<double> values = rate.values;
  std::erase_if(values, [](double value) { return !(value > 0); });
  return statistics_of_samples(std::move(values));
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  std::vector<Column> columns{{"rank", "", ColumnRole::rank, "rank"},
                              {"kind", "", ColumnRole::kind, "name"},
                              {"device", "", ColumnRole::device, "device"}};
  append_curve_columns(columns, {"bandwidth", "B/s", ColumnKind::bytes, "memory_bw_gbps", 1'000'000'000});
  columns.push_back({"copies", "", ColumnKind::integer, "copies"});
  Table table("memory-bw-summary", "Memory bandwidth by operation", std::move(columns), kHtaOrder);
  const KernelClasses::Choice choice = KernelClasses::hta_choice(input.values);
  MemoryBandwidths bandwidths(input, choice);
  std::vector<Cell> cells;
  for_each_curve(input, bandwidths, table, [&](const trace::Rank& rank, const MemoryBandwidth& each) {
    const CurveStatistics figures = choice.hta ? of_positive_samples(each.rate) : statistics_by_time(each.rate, false);
    if (figures.count == 0) return;
    cells.assign({rank.number, each.kind, rank.devices[each.device].id});
    append_curve_cells(cells, figures);
    cells.emplace_back(each.count);
    table.add_row(cells);
  });
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{
    .name = "memory_bw_summary",
    .title = "Memory bandwidth",
    .about =
        "Bandwidth of memcpys and memsets by kind, while at least one of that kind is running. Each rate is weighted "
        "by its duration; count is the number of intervals with a constant, nonzero rate. If all durations are whole "
        "µs, recorded rates consistent with the durations are used. HTA's statistics count each start and end once, "
        "regardless of duration.",
    .parameters = kParameters,
    .run = run,
    .still_ours =
        "HTA counts rounding errors in its floating-point sums as samples just above 0. Warpscope treats them as 0 and "
        "does not count them."};

}  // namespace warpscope::analysis::registered::memory_bw_summary
