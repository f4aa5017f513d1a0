// kernel_launches: number of kernel executions by name.
#include <algorithm>
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/kernel_totals.hpp"

namespace warpscope::analysis::registered::kernel_launches {

namespace {

constexpr std::array kParameters{top_parameter()};

/// `others`: whether the table may have a row for other kernels.
std::vector<Column> columns(bool others) {
  std::vector<Column> columns{
      {"name", "", ColumnRole::kernel}, {"count", "", ColumnRole::count}, {"share", "", ColumnRole::share}};
  if (others) columns.push_back({"names", "", ColumnRole::other_names});
  return columns;
}

void add_top(Table& table, const trace::Profile& profile, const TopKernels& top, std::uint64_t whole) {
  for (const KernelTotal& kernel : top.top)
    table.add_row({profile.names().view(kernel.name), kernel.count, share_of(kernel.count, whole)});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  KernelTotals totals = kernel_totals(input.profile, input.scope, input.cancel);
  std::stable_sort(totals.kernels.begin(), totals.kernels.end(),
                   [](const KernelTotal& a, const KernelTotal& b) { return a.count > b.count; });
  const TopKernels top = top_kernels(totals.kernels, input.values.integer("k"));
  Table all("kernel-launches", "Launch counts of all GPU kernels", columns(true));
  all.note = top_kernels_note(totals, top);
  add_top(all, input.profile, top, totals.count);
  if (top.other_names > 0)
    all.add_row({kOthers, top.others.count, share_of(top.others.count, totals.count), top.other_names});

  Table first("top-kernels", "Launch counts of the top GPU kernels", columns(false));
  first.note = joined_notes(
      {"Percentages are relative to the total of these kernels.", impossible_note(totals.impossible, "kernel")});
  add_top(first, input.profile, top, top.sum.count);
  return std::vector{std::move(all), std::move(first)};
}

}  // namespace

extern const Analysis kAnalysis{
    "kernel_launches", "GPU kernel launch counts",
    "Number of executions of each kernel on all GPUs. Each CUDA graph replay counts all of the graph's kernels.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::kernel_launches
