// kernel_time and kernel_launches: time and number of executions of GPU kernels by name.
#include <algorithm>
#include <array>
#include <functional>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/kernel_totals.hpp"

namespace warpscope::analysis::registered {

namespace {

constexpr std::array kTopParameters{
    integer_parameter("k", "number of kernels listed by name, 0 for all", "15", 0, 1e6)};

/// Returns the cells of a row after the name.
using Figures = std::function<std::vector<Cell>(const KernelTotal& kernel)>;

/// `others`: with a row for the other kernels, which has their number.
Table top_table(std::string id, std::string title, std::vector<Column> columns, const trace::Profile& profile,
                const TopKernels& top, bool others, const Figures& figures) {
  columns.insert(columns.begin(), Column("name", col::kernel));
  if (others) columns.emplace_back(col::other_names);
  Table table(std::move(id), std::move(title), std::move(columns));
  const auto add = [&](std::string_view name, const KernelTotal& kernel, const Cell& names) {
    std::vector<Cell> cells = figures(kernel);
    cells.insert(cells.begin(), name);
    if (!names.missing()) cells.push_back(names);
    table.add_row(cells);
  };
  for (const KernelTotal& kernel : top.top) add(profile.names().view(kernel.name), kernel, {});
  if (others && top.other_names > 0) add(kOthers, top.others, top.other_names);
  return table;
}

std::string note_of_top(const KernelTotals& totals) {
  return joined_notes(
      {"Percentages are relative to the total of these kernels.", impossible_note(totals.impossible, "kernel")});
}

Result<std::vector<Table>> run_time(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const KernelTotals totals = kernel_totals(profile, input.scope, input.cancel);
  const TopKernels top = top_kernels(totals.kernels, input.values.integer("k"));
  const auto of = [](Ns whole) {
    return [whole](const KernelTotal& each) {
      return std::vector<Cell>{each.total, share_of(each.total, whole), each.count};
    };
  };
  const std::vector<Column> columns{col::total, col::share, col::count};
  Table all = top_table("kernel-time", "Total time by GPU kernel", columns, profile, top, true, of(totals.total));
  const GpuTime gpus = gpu_time(profile, input.scope);
  const std::string overlap =
      totals.total > gpus.total ? "Kernels overlap, so they take more than all of GPU time." : "";
  all.note = joined_notes({top_kernels_note(totals, top), overlap});
  Table first =
      top_table("top-kernels", "Total time of the top GPU kernels", columns, profile, top, false, of(top.sum.total));
  first.note = note_of_top(totals);
  Table of_gpus = top_table("share-of-gpu-time", "GPU kernels as a share of GPU time",
                            {col::total, Column("share of gpu time", col::share_of_gpu_time), col::count}, profile, top,
                            true, of(gpus.total));
  of_gpus.note = joined_notes({"Percentages are relative to the total time of", gpu_time_note(gpus), overlap});
  return std::vector{std::move(all), std::move(first), std::move(of_gpus)};
}

Result<std::vector<Table>> run_launches(const AnalysisInput& input) {
  KernelTotals totals = kernel_totals(input.profile, input.scope, input.cancel);
  std::ranges::stable_sort(totals.kernels, std::greater(), &KernelTotal::count);
  const TopKernels top = top_kernels(totals.kernels, input.values.integer("k"));
  const auto of = [](std::uint64_t whole) {
    return [whole](const KernelTotal& each) { return std::vector<Cell>{each.count, share_of(each.count, whole)}; };
  };
  const std::vector<Column> columns{col::count, col::share};
  Table all = top_table("kernel-launches", "Launch counts of all GPU kernels", columns, input.profile, top, true,
                        of(totals.count));
  all.note = top_kernels_note(totals, top);
  Table first = top_table("top-kernels", "Launch counts of the top GPU kernels", columns, input.profile, top, false,
                          of(top.sum.count));
  first.note = note_of_top(totals);
  return std::vector{std::move(all), std::move(first)};
}

}  // namespace

namespace kernel_time {
extern const Analysis kAnalysis{"kernel_time", "GPU kernel time",
                                "Total time of each kernel on all GPUs, excluding memcpys and memsets.", kTopParameters,
                                run_time};
}

namespace kernel_launches {
extern const Analysis kAnalysis{
    "kernel_launches", "GPU kernel launch counts",
    "Number of executions of each kernel on all GPUs. Each CUDA graph replay counts all of the graph's kernels.",
    kTopParameters, run_launches};
}

}  // namespace warpscope::analysis::registered
