// kernel_precision: the GPUs' kernel time by the precision that the kernels' names tell.
#include <algorithm>
#include <array>
#include <string>

#include "core/analysis/kernel_totals.hpp"
#include "core/analysis/precision.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"
#include "core/analysis/tables.hpp"

namespace warpscope::analysis::registered::kernel_precision {

namespace {

struct PrecisionTotal {
  Precision precision = Precision::unknown;
  Ns total = 0;
  std::uint64_t count = 0;
};

Table rules_table() {
  Table table(
      "rules", "How precision is told from a kernel's name",
      {{"pattern", "", ColumnKind::text}, {"precision", "", ColumnKind::text}, {"meaning", "", ColumnKind::text}});
  table.note = "Tried from the top; the first pattern that a name has decides. * is anything, | a place between words.";
  for (const PrecisionRule& rule : precision_rules())
    table.add_row({rule.pattern, to_string(rule.precision), rule.meaning});
  return table;
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const KernelTotals totals = kernel_totals(input.profile, input.scope, input.cancel);
  Table kernels("kernels", "Precision of each kernel",
                {{"name", "", ColumnKind::text},
                 {"precision", "", ColumnKind::text},
                 {"rule", "", ColumnKind::text},
                 {"total", "", ColumnKind::duration},
                 {"count", "", ColumnKind::integer}});
  std::array<PrecisionTotal, kPrecisions> sums{};
  for (const KernelTotal& kernel : totals.kernels) {
    const std::string_view name = input.profile.names().view(kernel.name);
    const PrecisionRule* rule = precision_rule(name);
    const Precision precision = rule != nullptr ? rule->precision : Precision::unknown;
    PrecisionTotal& sum = sums[static_cast<std::size_t>(precision)];
    sum.precision = precision;
    sum.total = saturating_add(sum.total, kernel.total);
    sum.count += kernel.count;
    kernels.add_row(
        {name, to_string(precision), rule != nullptr ? Cell(rule->pattern) : Cell(), kernel.total, kernel.count});
  }
  std::stable_sort(sums.begin(), sums.end(),
                   [](const PrecisionTotal& a, const PrecisionTotal& b) { return a.total > b.total; });
  Table table("kernel-precision", "Kernel precision distribution",
              {{"precision", "", ColumnKind::text},
               {"total", "", ColumnKind::duration},
               {"count", "", ColumnKind::integer},
               {"share", "", ColumnKind::share}});
  for (const PrecisionTotal& sum : sums)
    if (sum.count > 0)
      table.add_row({to_string(sum.precision), sum.total, sum.count, share_of(sum.total, totals.total)});
  table.note = totals.kernels.empty()
                   ? joined_notes({"No kernel ran on a GPU here.", impossible_note(totals.impossible, "kernel")})
                   : joined_notes({"Told from the kernels' names; unknown where a name says nothing.",
                                   impossible_note(totals.impossible, "kernel")});
  return std::vector{std::move(table), std::move(kernels), rules_table()};
}

}  // namespace

extern const Analysis kAnalysis;
const Analysis kAnalysis{"kernel_precision",
                         "Kernel precision distribution",
                         "Time of the GPUs' kernels by the precision in which they compute, as their names tell "
                         "it.",
                         {},
                         run};

}  // namespace warpscope::analysis::registered::kernel_precision
