// kernel_time: GPU kernel time by name.
#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/kernel_totals.hpp"

namespace warpscope::analysis::registered::kernel_time {

namespace {

constexpr std::array kParameters{top_parameter()};

/// `others`: whether the table may have a row for other kernels.
std::vector<Column> columns(Column share, bool others) {
  std::vector<Column> columns{{"name", "", ColumnRole::kernel},
                              {"total", "", ColumnRole::total},
                              std::move(share),
                              {"count", "", ColumnRole::count}};
  if (others) columns.push_back({"names", "", ColumnRole::other_names});
  return columns;
}

void add_top(Table& table, const trace::Profile& profile, const TopKernels& top, Ns whole) {
  for (const KernelTotal& kernel : top.top)
    table.add_row({profile.names().view(kernel.name), kernel.total, share_of(kernel.total, whole), kernel.count});
}

void add_others(Table& table, const TopKernels& top, Ns whole) {
  if (top.other_names > 0)
    table.add_row({kOthers, top.others.total, share_of(top.others.total, whole), top.others.count, top.other_names});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelTotals totals = kernel_totals(input.profile, input.scope, input.cancel);
  const TopKernels top = top_kernels(totals.kernels, input.values.integer("k"));
  Table all("kernel-time", "Total time by GPU kernel", columns({"share", "", ColumnRole::share}, true));
  all.note = top_kernels_note(totals, top);
  add_top(all, input.profile, top, totals.total);
  add_others(all, top, totals.total);

  Table first("top-kernels", "Total time of the top GPU kernels", columns({"share", "", ColumnRole::share}, false));
  first.note = joined_notes(
      {"Percentages are relative to the total of these kernels.", impossible_note(totals.impossible, "kernel")});
  add_top(first, input.profile, top, top.sum.total);

  Table of_gpus("share-of-gpu-time", "GPU kernels as a share of GPU time",
                columns({"share of gpu time", "", ColumnRole::share_of_gpu_time}, true));
  const GpuTime gpus = gpu_time(input.profile, input.scope);
  of_gpus.note = joined_notes({"Percentages are relative to the total time of", gpu_time_note(gpus)});
  add_top(of_gpus, input.profile, top, gpus.total);
  add_others(of_gpus, top, gpus.total);
  return std::vector{std::move(all), std::move(first), std::move(of_gpus)};
}

}  // namespace

extern const Analysis kAnalysis{"kernel_time", "GPU kernel time",
                                "Total time of each kernel on all GPUs, excluding memcpys and memsets.", kParameters,
                                run};

}  // namespace warpscope::analysis::registered::kernel_time
