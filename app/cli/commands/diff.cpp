// `warpscope diff A B`: reports what became slower from one profile to another, per kernel, operator and step. With
// --fail-over, it can be used as a gate in scripts that monitor training speed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/command.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/written_table.hpp"
#include "core/analysis/diff/diff_answer.hpp"
#include "core/analysis/diff/slowdown.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"
#include "render/plots/name_labels.hpp"

namespace warpscope::cli {

namespace {

struct DiffOptions : TableFormat {
  std::string control;
  std::string test;
  std::optional<std::string> fail_over;  ///< "5%"; nullopt: never fails
  std::string at_least = "1%";           ///< minimum share of its kind's time, in either profile; less is noise
  std::int64_t rows = 20;                ///< maximum number of rows, 0 for all
  LoadFlags load;
};

/// Parses "5%" as 0.05.
Result<double> parse_percent(const char* flag, std::string_view text) {
  const auto percent = parse_number<double>(text.ends_with('%') ? text.substr(0, text.size() - 1) : text);
  if (!percent || !(*percent >= 0) || *percent > std::numeric_limits<double>::max())
    return Error{fmt::format("{} {}", flag, text.empty() ? "\"\"" : text), "is not a percentage",
                 fmt::format("for example {} 5%", flag)};
  return *percent / 100;
}

/// Prints slowdowns above the limit and the items that could not be compared.
ExitStatus judge(const analysis::Slowdowns& found, double limit, const DiffOptions& options) {
  using analysis::Slowdown;
  if (found.rows.empty())
    return fail(
        {options.test, "contains nothing to compare, and neither does " + options.control + "; nothing was checked",
         "compare profiles with steps, kernels or operators"},
        kGateFailed);
  const bool in_common =
      std::ranges::any_of(found.rows, [](const Slowdown& each) { return !each.added() && !each.removed(); });
  if (!in_common)
    return fail({options.test, "shares no steps, kernels or operators with " + options.control,
                 "compare profiles of the same job"},
                kGateFailed);
  print_message(analysis::uncompared_text(found));
  const std::size_t over = analysis::count_over(found, limit);
  if (over > 0) {
    const auto by = [](const Slowdown& each) { return each.added() || each.removed() ? -1 : each.by(); };
    const Slowdown& worst = *std::ranges::max_element(found.rows, {}, by);
    const std::string name =
        worst.kind == Slowdown::Kind::step ? "the step" : fmt::format("{} {}", to_string(worst.kind), worst.name);
    print_message(fmt::format("{} of {} became slower by more than {} %: {} by {}", over, found.rows.size(),
                              100 * limit, name, format_share(worst.by())));
  }
  const auto added = analysis::added_over(found, limit);
  for (const Slowdown::Kind kind : added) {
    const analysis::Uncompared& left = found.uncompared[static_cast<std::size_t>(kind)];
    print_message(fmt::format("new {}s add {} per step, more than {} % of the previous {}", to_string(kind),
                              format_duration(std::llround(left.net())), 100 * limit,
                              format_duration(std::llround(left.control_time))));
  }
  return over > 0 || !added.empty() ? kGateFailed : kDone;
}

/// Returns kGateFailed if a reported item slowed down by more than the limit.
ExitStatus run_diff(const DiffOptions& options) {
  std::optional<double> limit;
  if (options.fail_over) {
    const auto parsed = parse_percent("--fail-over", *options.fail_over);
    if (!parsed) return fail(parsed.error(), kUsage);
    limit = *parsed;
  }
  const auto least = parse_percent("--at-least", options.at_least);
  if (!least) return fail(least.error(), kUsage);
  const auto rows = options.rows <= 0 ? std::size_t{0} : static_cast<std::size_t>(options.rows);
  analysis::Slowdowns found;
  const auto compute = [&](std::span<Loaded> loaded) -> Result<std::string> {
    const trace::Profile& control = *loaded[0].profile;
    const trace::Profile& test = *loaded[1].profile;
    found = analysis::slowdowns(control, test, *least);
    Table table = analysis::slowdown_table(found, limit, rows);
    table.note = analysis::joined_notes({analysis::diff_answer(control, test, found), table.note});
    if (options.csv && !table.note.empty()) print_message(table.note);
    return written(options, options.csv || options.json ? table : plots::with_labels(table));
  };
  const ExitStatus status = load_and_print({options.control, options.test}, options.load, saved_settings(), compute);
  return status == kDone && limit ? judge(found, *limit, options) : status;
}

std::function<ExitStatus()> declare_diff(Arguments arguments) {
  const auto options = std::make_shared<DiffOptions>();
  arguments.required("A", options->control, "Baseline profile");
  arguments.required("B", options->test, "Profile to check");
  arguments.text("--fail-over", options->fail_over,
                 "Exit with status 1 if a step, kernel or operator becomes slower by more than this, or if new ones "
                 "add more; for example 5%");
  arguments.text("--at-least", options->at_least,
                 "Combine names below this percentage of their kind's total time into one row");
  arguments.number("--rows", options->rows, "Number of rows to print, 0 for all");
  add_format_flags(arguments, *options, "JSON records with exact values, \"schema\": 2");
  add_load_flags(arguments, options->load, StoreWriting::by_flag);
  return [options] { return run_diff(*options); };
}

}  // namespace

const Command registered::diff::kCommand{"diff", "Compare two profiles and print what became slower", declare_diff,
                                         nullptr, "slowdown exceeds the --fail-over limit"};

}  // namespace warpscope::cli
