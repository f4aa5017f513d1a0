// kernel_precision: the GPUs' kernel time by the precision that the kernels' names tell.
#include "core/analysis/kernel_precision.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/analysis/kernel_totals.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"
#include "core/analysis/tables.hpp"
#include "core/base/ascii.hpp"

namespace warpscope::analysis {

namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool parts_words(std::string_view text, std::size_t at) {
  return at == 0 || at == text.size() || !is_letter_or_digit(text[at - 1]) || !is_letter_or_digit(text[at]);
}

/// A pattern between two stars.
struct Piece {
  std::string_view text;
  bool word_begins = false;
  bool word_ends = false;

  explicit Piece(std::string_view pattern) : text(pattern) {
    if ((word_begins = text.starts_with('|'))) text.remove_prefix(1);
    if ((word_ends = text.ends_with('|'))) text.remove_suffix(1);
  }
  /// The first place from `from` on where it stands.
  [[nodiscard]] std::size_t find_in(std::string_view name, std::size_t from) const {
    std::size_t at = name.find(text, from);
    while (at != std::string_view::npos &&
           ((word_begins && !parts_words(name, at)) || (word_ends && !parts_words(name, at + text.size()))))
      at = name.find(text, at + 1);
    return at;
  }
};

bool holds(std::string_view pattern, std::string_view name) {
  std::size_t from = 0;
  while (true) {
    const std::size_t star = std::min(pattern.find('*'), pattern.size());
    const Piece piece(pattern.substr(0, star));
    const std::size_t at = piece.find_in(name, from);
    if (at == std::string_view::npos) return false;
    if (star == pattern.size()) return true;
    from = at + piece.text.size();
    pattern.remove_prefix(star + 1);
  }
}

}  // namespace

std::string_view to_string(Precision precision) {
  constexpr std::array<std::string_view, kPrecisions> kNames{"FP64", "FP32", "TF32",  "FP16",  "BF16",   "FP8",
                                                             "FP4",  "INT8", "INT32", "INT64", "unknown"};
  return kNames[static_cast<std::size_t>(precision)];
}

const PrecisionRule* precision_rule(std::string_view kernel) {
  const std::string name = lower(kernel);
  const std::span<const PrecisionRule> rules = precision_rules();
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [&](const PrecisionRule& each) { return holds(each.pattern, name); });
  return rule == rules.end() ? nullptr : &*rule;
}

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

namespace registered {
extern const Analysis kernel_precision;
const Analysis kernel_precision{"kernel_precision",
                                "Kernel precision distribution",
                                "Time of the GPUs' kernels by the precision in which they compute, as their names tell "
                                "it.",
                                {},
                                run};
}  // namespace registered

}  // namespace warpscope::analysis
