// kernel_precision: GPU kernel time by precision, inferred from kernel names. Communication has no precision: an FP16
// collective does not show the precision in which the job computes, and it often takes longer than all computation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/precision.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::kernel_precision {

namespace {

constexpr std::array kParameters{kKernelClassParameter};

/// Executions of a kernel in one class. Kernels with the same name can have different classes: any kernel launched by a
/// collective counts as communication.
struct KernelOfClass {
  NameId name = 0;
  KernelClass kind = KernelClass::computation;
  Ns total = 0;
  std::uint64_t count = 0;

  void add(Ns length) {
    total = saturating_add(total, length);
    ++count;
  }
};

/// Returns the kernels, sorted by time, longest first.
std::vector<KernelOfClass> kernels_of(const AnalysisInput& input) {
  const trace::Profile& profile = input.profile;
  const auto classes = shared_classes(profile, {.rules = input.values.text(kKernelClassParameter.name)}, input.shared);
  std::vector<KernelOfClass> computing(profile.names().size());
  std::map<std::pair<NameId, KernelClass>, KernelOfClass> others;
  for_each_run(profile, input.scope, input.cancel, [&](const RunPart& run) {
    if (!trace::is_kernel(run.role)) return;
    const NameId name = run.lane.name(run.index);
    const KernelClass kind = classes->of(run.rank, run.lane_index, run.index, run.role);
    (kind == KernelClass::computation ? computing[name] : others[{name, kind}]).add(run.part.length());
  });
  std::vector<KernelOfClass> kernels;
  for (NameId name = 0; name < computing.size(); ++name)
    if (computing[name].count > 0)
      kernels.push_back({name, KernelClass::computation, computing[name].total, computing[name].count});
  for (const auto& [key, sum] : others) kernels.push_back({key.first, key.second, sum.total, sum.count});
  std::ranges::sort(kernels, [&](const KernelOfClass& a, const KernelOfClass& b) {
    if (a.total != b.total) return a.total > b.total;
    return std::tuple(profile.names().view(a.name), a.kind) < std::tuple(profile.names().view(b.name), b.kind);
  });
  return kernels;
}

/// Accumulates a row of the main table.
struct PrecisionTotal {
  Cell name;  ///< refers to the precision, or to kPrecisions plus the class
  bool computes = true;
  Ns total = 0;
  std::uint64_t count = 0;
};

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Table kernels("kernels", "Precision of each kernel",
                {Column("name", col::kernel), col::precision, col::text("rule"), col::total, col::count});
  std::array<PrecisionTotal, kPrecisions + kKernelClasses> sums{};
  Ns computation = 0;
  Ns communication = 0;
  for (const KernelOfClass& kernel : kernels_of(input)) {
    const std::string_view name = input.profile.names().view(kernel.name);
    const bool computes = kernel.kind == KernelClass::computation;
    const PrecisionRule* rule = computes ? precision_rule(name) : nullptr;
    const Precision precision = rule != nullptr ? rule->precision : Precision::unknown;
    const auto index = static_cast<std::uint32_t>(computes ? static_cast<std::size_t>(precision)
                                                           : kPrecisions + static_cast<std::size_t>(kernel.kind));
    PrecisionTotal& sum = sums[index];
    sum.name = Cell(computes ? to_string(precision) : to_string(kernel.kind), index);
    sum.computes = computes;
    sum.total = saturating_add(sum.total, kernel.total);
    sum.count += kernel.count;
    if (computes) computation = saturating_add(computation, kernel.total);
    if (kernel.kind == KernelClass::communication) communication = saturating_add(communication, kernel.total);
    kernels.add_row({name, sum.name, rule != nullptr ? Cell(rule->pattern) : Cell(), kernel.total, kernel.count});
  }
  std::ranges::stable_sort(sums, [](const PrecisionTotal& a, const PrecisionTotal& b) {
    return a.computes != b.computes ? a.computes : a.total > b.total;
  });
  Table table("kernel-precision", "Kernel precision distribution",
              {col::precision, col::total, col::count, col::share});
  for (const PrecisionTotal& sum : sums)
    if (sum.count > 0)
      table.add_row({sum.name, sum.total, sum.count, sum.computes ? share_of(sum.total, computation) : Cell()});
  const std::string impossible = impossible_note(count_impossible(input.profile, input.scope, kKernelRoles), "kernel");
  const std::string communicated =
      communication > 0 ? fmt::format(
                              "Percentages are relative to computation; communication accounts for {} of "
                              "kernel time.",
                              format_share(static_cast<double>(communication) /
                                           static_cast<double>(saturating_add(computation, communication))))
                        : "";
  table.note = kernels.rows() == 0
                   ? joined_notes({"No GPU kernels in this selection.", impossible})
                   : joined_notes({"Inferred from kernel names; unknown if the name does not indicate the precision.",
                                   communicated, impossible});
  return std::vector{std::move(table), std::move(kernels)};
}

}  // namespace

extern const Analysis kAnalysis{"kernel_precision", "Kernel precision distribution",
                                "GPU kernel time by precision, inferred from kernel names. Percentages are relative to "
                                "computation; communication has its own row.",
                                kParameters, run};

}  // namespace warpscope::analysis::registered::kernel_precision
