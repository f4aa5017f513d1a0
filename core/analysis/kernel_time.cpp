#include "core/analysis/kernel_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/analysis/gpu_time.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"
#include "core/analysis/tables.hpp"

namespace warpscope::analysis {

KernelTotals kernel_totals(const trace::Profile& profile, const Scope& scope, const CancelToken* cancel) {
  std::vector<KernelTotal> by_name(profile.names().size());
  KernelTotals totals;
  for_each_run(profile, scope, cancel, [&](const RunPart& run) {
    if (run.role != trace::Role::kernel) return;
    KernelTotal& kernel = by_name[run.lane.name(run.index)];
    kernel.total = saturating_add(kernel.total, run.part.length());
    ++kernel.count;
  });
  for (NameId name = 0; name < by_name.size(); ++name) {
    KernelTotal& kernel = by_name[name];
    if (kernel.count == 0) continue;
    kernel.name = name;
    totals.total = saturating_add(totals.total, kernel.total);
    totals.count += kernel.count;
    totals.kernels.push_back(kernel);
  }
  std::sort(totals.kernels.begin(), totals.kernels.end(), [&](const KernelTotal& a, const KernelTotal& b) {
    return a.total != b.total ? a.total > b.total : profile.names().view(a.name) < profile.names().view(b.name);
  });
  totals.impossible = count_impossible(profile, scope, role_set(trace::Role::kernel));
  return totals;
}

std::string kernel_filter(std::string_view name) {
  std::string quoted;
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return "cat:kernel name=\"" + quoted + "\"";
}

namespace {

using trace::Profile;

constexpr std::array kParameters{Parameter{.name = "k",
                                           .about = "how many kernels are told by name; 0: all of them",
                                           .kind = ParameterKind::integer,
                                           .preset = "15",
                                           .least = 0,
                                           .most = 1e6}};

/// The first k, and all others as one.
struct TopKernels {
  std::span<const KernelTotal> top;
  KernelTotal others;
  std::size_t other_names = 0;
};

TopKernels top_kernels(const std::vector<KernelTotal>& kernels, std::int64_t k) {
  const std::size_t told = k == 0 ? kernels.size() : std::min(kernels.size(), static_cast<std::size_t>(k));
  TopKernels result{std::span(kernels).first(told), {}, kernels.size() - told};
  for (const KernelTotal& kernel : std::span(kernels).subspan(told)) {
    result.others.total = saturating_add(result.others.total, kernel.total);
    result.others.count += kernel.count;
  }
  return result;
}

std::string notes(const KernelTotals& totals, const TopKernels& top) {
  if (totals.kernels.empty())
    return joined_notes({"No kernel ran on a GPU here.", impossible_note(totals.impossible, "kernel")});
  const std::string others =
      top.other_names == 0 ? std::string() : fmt::format("\"{}\" are {} further kernels.", kOthers, top.other_names);
  return joined_notes({others, impossible_note(totals.impossible, "kernel")});
}

void add_time_rows(Table& table, const Profile& profile, const TopKernels& top, bool with_others, Ns whole) {
  for (const KernelTotal& kernel : top.top)
    table.add_row({profile.names().view(kernel.name), kernel.total, share_of(kernel.total, whole), kernel.count});
  if (with_others && top.other_names > 0)
    table.add_row({kOthers, top.others.total, share_of(top.others.total, whole), top.others.count});
}

Ns sum_of(std::span<const KernelTotal> kernels) {
  Ns sum = 0;
  for (const KernelTotal& kernel : kernels) sum = saturating_add(sum, kernel.total);
  return sum;
}

Result<std::vector<Table>> run_time(const AnalysisInput& input) {
  const KernelTotals totals = kernel_totals(input.profile, input.scope, input.cancel);
  const TopKernels top = top_kernels(totals.kernels, input.values.integer("k"));
  const std::vector<Column> columns{{"name", "", ColumnKind::text},
                                    {"total", "", ColumnKind::duration},
                                    {"share", "", ColumnKind::share},
                                    {"count", "", ColumnKind::integer}};
  Table all("kernel-time", "Time spent by all GPU kernels", columns);
  all.note = notes(totals, top);
  add_time_rows(all, input.profile, top, true, totals.total);

  Table first("top-kernels", "Time spent by the top GPU kernels", columns);
  first.note = joined_notes({"Shares are of these kernels alone.", impossible_note(totals.impossible, "kernel")});
  add_time_rows(first, input.profile, top, false, sum_of(top.top));

  Table of_gpus("kernel-share-of-gpu-time", "Kernels as a share of all GPUs' time",
                {{"name", "", ColumnKind::text},
                 {"total", "", ColumnKind::duration},
                 {"share of gpu time", "", ColumnKind::share},
                 {"count", "", ColumnKind::integer}});
  const GpuTime gpus = gpu_time(input.profile, input.scope);
  of_gpus.note = gpu_time_note(gpus);
  add_time_rows(of_gpus, input.profile, top, true, gpus.total());
  return std::vector{std::move(all), std::move(first), std::move(of_gpus)};
}

void add_count_rows(Table& table, const Profile& profile, const TopKernels& top, bool with_others,
                    std::uint64_t whole) {
  for (const KernelTotal& kernel : top.top)
    table.add_row({profile.names().view(kernel.name), kernel.count, share_of(kernel.count, whole)});
  if (with_others && top.other_names > 0) table.add_row({kOthers, top.others.count, share_of(top.others.count, whole)});
}

Result<std::vector<Table>> run_launches(const AnalysisInput& input) {
  KernelTotals totals = kernel_totals(input.profile, input.scope, input.cancel);
  std::sort(totals.kernels.begin(), totals.kernels.end(), [&](const KernelTotal& a, const KernelTotal& b) {
    if (a.count != b.count) return a.count > b.count;
    return input.profile.names().view(a.name) < input.profile.names().view(b.name);
  });
  const TopKernels top = top_kernels(totals.kernels, input.values.integer("k"));
  const std::vector<Column> columns{
      {"name", "", ColumnKind::text}, {"count", "", ColumnKind::integer}, {"share", "", ColumnKind::share}};
  Table all("kernel-launches", "Launch counts of all GPU kernels", columns);
  all.note = notes(totals, top);
  add_count_rows(all, input.profile, top, true, totals.count);

  Table first("top-kernels", "Launch counts of the top GPU kernels", columns);
  first.note = joined_notes({"Shares are of these kernels alone.", impossible_note(totals.impossible, "kernel")});
  std::uint64_t sum = 0;
  for (const KernelTotal& kernel : top.top) sum += kernel.count;
  add_count_rows(first, input.profile, top, false, sum);
  return std::vector{std::move(all), std::move(first)};
}

}  // namespace

namespace registered {

extern const Analysis kernel_time;
const Analysis kernel_time{"kernel_time", "GPU kernel time",
                           "How long each kernel ran, summed over all its runs on all GPUs; copies and sets are not "
                           "among them.",
                           kParameters, run_time};

extern const Analysis kernel_launches;
const Analysis kernel_launches{"kernel_launches", "GPU kernel launch counts",
                               "How often each kernel ran, on all GPUs; a replayed graph counts each of its kernels.",
                               kParameters, run_launches};

}  // namespace registered

}  // namespace warpscope::analysis
