#include "core/analysis/shared/kernel_totals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/analysis/request/runs.hpp"

namespace warpscope::analysis {

KernelTotals kernel_totals(const trace::Profile& profile, const Scope& scope, const CancelToken* cancel) {
  std::vector<KernelTotal> by_name(profile.names().size());
  KernelTotals totals;
  for_each_run(profile, scope, cancel, [&](const RunPart& run) {
    if (!trace::is_kernel(run.role)) return;
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
  totals.impossible = count_impossible(profile, scope, kKernelRoles);
  return totals;
}

TopKernels top_kernels(const std::vector<KernelTotal>& kernels, std::int64_t k) {
  const std::size_t told = k == 0 ? kernels.size() : std::min(kernels.size(), static_cast<std::size_t>(k));
  TopKernels result;
  result.top = std::span(kernels).first(told);
  result.other_names = kernels.size() - told;
  for (const KernelTotal& kernel : result.top) {
    result.sum.total = saturating_add(result.sum.total, kernel.total);
    result.sum.count += kernel.count;
  }
  for (const KernelTotal& kernel : std::span(kernels).subspan(told)) {
    result.others.total = saturating_add(result.others.total, kernel.total);
    result.others.count += kernel.count;
  }
  return result;
}

std::string top_kernels_note(const KernelTotals& totals, const TopKernels& top) {
  const std::string impossible = impossible_note(totals.impossible, "kernel");
  if (totals.kernels.empty()) return joined_notes({"No GPU kernels in this selection.", impossible});
  if (top.other_names == 0) return impossible;
  const std::string others =
      fmt::format("\"{}\": the {} other {}.", kOthers, top.other_names, top.other_names == 1 ? "kernel" : "kernels");
  return joined_notes({others, impossible});
}

}  // namespace warpscope::analysis
