// gpu_kernel_breakdown: device busy time by kernel type and by kernel.
#include <algorithm>
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/duration_spread.hpp"
#include "core/analysis/shared/gpu_rows.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/analysis/shared/no_communication.hpp"
#include "core/analysis/shared/row_words.hpp"

namespace warpscope::analysis::registered::gpu_kernel_breakdown {

namespace {

constexpr std::array kParameters{num_kernels_parameter("10", "number of kernels to list per type and rank; 0 for all"),
                                 kDurationRatioParameter,
                                 flag_parameter("include_memory", "include memcpys and memsets", "true"),
                                 kHtaParameter,
                                 kRoundingParameter,
                                 kKernelClassParameter};

/// The types in HTA's order: bit k of a combination is kTypes[k].
constexpr std::array kTypes{KernelClass::computation, KernelClass::communication, KernelClass::memory};
using ByCombination = std::array<Ns, 1u << kTypes.size()>;

/// Adds the time during which each combination of types was active, by sweeping over all starts and ends. O(intervals).
void add_combinations(ByCombination& sums, const std::array<std::vector<Interval>, kTypes.size()>& busy) {
  std::array<std::size_t, kTypes.size()> next{};
  std::optional<Ns> from;
  while (true) {
    std::optional<Ns> until;  // the next start or end after `from`
    unsigned active = 0;
    for (std::size_t k = 0; k < kTypes.size(); ++k) {
      while (next[k] < busy[k].size() && ((from && busy[k][next[k]].end <= *from) || busy[k][next[k]].empty()))
        ++next[k];
      if (next[k] == busy[k].size()) continue;
      const Interval& time = busy[k][next[k]];
      const bool begun = from && time.begin <= *from;
      if (begun) active |= 1u << k;
      const Ns change = begun ? time.end : time.begin;
      until = std::min(until.value_or(change), change);
    }
    if (!until) return;
    if (active != 0) sums[active] = saturating_add(sums[active], *until - *from);
    from = until;
  }
}

std::string combination_name(unsigned combination) {
  std::string name;
  for (std::size_t k = 0; k < kTypes.size(); ++k) {
    if ((combination >> k & 1u) == 0) continue;
    if (!name.empty()) name += " overlapping ";
    name += hta_name(kTypes[k]);
  }
  return name;
}

Table types_table(const ByCombination& sums) {
  Table table("kernel-types", "GPU time by kernel type",
              {col::kernel_class, Column("sum", col::total).csv("sum", 1000), Column(col::share).csv("percentage")});
  Ns total = 0;
  for (const Ns sum : sums) total = saturating_add(total, sum);
  std::vector<unsigned> order;
  for (unsigned combination = 1; combination < sums.size(); ++combination)
    if (sums[combination] > 0) order.push_back(combination);
  std::ranges::stable_sort(order, std::greater(), [&](unsigned combination) { return sums[combination]; });
  for (const unsigned combination : order)
    table.add_row(
        {Cell(combination_name(combination), combination), sums[combination], share_of(sums[combination], total)});
  return table;
}

struct KernelRow {
  NamedSpread kernel;
  KernelClass type;
  std::uint32_t rank;  // index
};

Table kernels_table(const trace::Profile& profile, std::vector<KernelRow> rows, bool hta) {
  std::vector<Column> columns{Column("name", col::kernel)};
  append_spread_columns(columns);
  columns.push_back(col::kernel_class);
  columns.push_back(col::rank);
  Table table("kernels", "Kernels", std::move(columns),
              "name,sum (us),max (us),min (us),stddev,mean (us),kernel_type,rank");
  const auto name = [&](const KernelRow& row) {
    return row.kernel.name ? profile.names().view(*row.kernel.name) : kOthers;
  };
  std::ranges::stable_sort(rows, [&](const KernelRow& a, const KernelRow& b) {
    if (!hta) return a.kernel.durations.sum() > b.kernel.durations.sum();
    return std::tuple(hta_name(a.type), name(a)) < std::tuple(hta_name(b.type), name(b));
  });
  table.reserve(rows.size());
  std::vector<Cell> cells;
  for (const KernelRow& row : rows) {
    cells.assign({name(row)});
    append_spread_cells(cells, row.kernel.durations);
    cells.emplace_back(hta_name(row.type), 1u << static_cast<unsigned>(row.type));
    cells.emplace_back(profile.ranks[row.rank]->number);
    table.add_row(cells);
  }
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelClasses::Choice choice = KernelClasses::choice(input.values);
  const Folding folding = Folding::of(input.values, choice.hta);
  const std::size_t types = input.values.flag("include_memory") ? kTypes.size() : kTypes.size() - 1;
  const GpuRows all(input.profile, input.scope, choice, input.cancel, input.shared);
  NoCommunicationCheck check(input.profile, input.scope, choice);
  ByCombination sums{};
  std::vector<KernelRow> kernels;
  SpreadsByName by_name(input.profile.names().size());
  std::size_t without = 0;
  for (const std::uint32_t r : all.ranks()) {
    const std::shared_ptr<const GpuRows::Rows> shared = all.of(r);
    const GpuRows::Rows& rows = *shared;
    if (cancelled(input.cancel)) break;
    check.add(rows);
    if (rows.empty()) ++without;
    for_each_device_group(rows, choice.hta, [&](std::uint32_t, std::span<const GpuRow> own) {
      std::array<std::vector<Interval>, kTypes.size()> busy;
      for (std::size_t k = 0; k < types; ++k)
        busy[k] = union_of(own, [&](const GpuRow& row) { return row.kind == kTypes[k]; });
      add_combinations(sums, busy);
    });
    for (std::size_t k = 0; k < types; ++k) {
      for (const GpuRow& row : rows)
        if (row.kind == kTypes[k]) by_name.add(row.name, row.time.length());
      for (const NamedSpread& kernel : fold(by_name.take(), input.profile.names(), folding))
        kernels.push_back({kernel, kTypes[k], r});
    }
  }
  const std::string note =
      joined_notes({without_runs_note(without, all.ranks().size()), check.note(),
                    impossible_note(count_impossible(input.profile, input.scope, kRunRoles), "GPU slice")});
  std::vector<Table> tables{types_table(sums), kernels_table(input.profile, std::move(kernels), choice.hta)};
  for (Table& table : tables) table.note = note;
  if (tables.front().rows() == 0 && tables.back().rows() > 0)
    tables.front().note = joined_notes({"All GPU activity in this selection has zero duration.", note});
  return tables;
}

constexpr std::array kCharts{ChartSpec{.table = "kernel-types",
                                       .kind = ChartKind::rows,
                                       .title = "GPU time by kernel type",
                                       .x = ColumnRole::kernel_class,
                                       .y = ColumnRole::total,
                                       .whole = "all"}};

}  // namespace

extern const Analysis kAnalysis{
    .name = "gpu_kernel_breakdown",
    .title = "GPU kernel breakdown",
    .about =
        "GPU time in computation, communication and memory operations, alone and overlapping, summed over all ranks. A "
        "second table lists the kernels of each type by rank, with duration statistics. When HTA merges the remaining "
        "kernels into one row, it computes the statistics of all rows from per-kernel sums.",
    .parameters = kParameters,
    .run = run,
    .charts = kCharts,
    .still_ours =
        "Activities that merely touch are not counted as overlapping; HTA may list their types as an overlapping pair "
        "with a sum of 0, depending on the sort order. In traces with ns timestamps, HTA truncates each interval to "
        "whole µs, so its sums by type may be smaller by up to 1 µs per interval. Triton operators with a stream "
        "argument are host calls, not GPU activity."};

}  // namespace warpscope::analysis::registered::gpu_kernel_breakdown
