// `warpscope rules PATH`: prints what wastes GPU time, what it costs, and what to do. With --fail, it can be used as a
// gate in scripts.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>

#include "app/cli/command.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/report/report_document.hpp"
#include "app/cli/rule_flags.hpp"
#include "app/cli/written_table.hpp"
#include "core/base/format.hpp"
#include "core/base/table_writers.hpp"
#include "core/base/utf8.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::cli {

namespace {

struct RulesOptions : TableFormat {
  std::string path;
  std::string ranks;
  RuleFlags rules;
  bool fail = false;
  bool all = false;  ///< include rules that found nothing
  LoadFlags load;
};

std::string readable(const rules::Evaluation& evaluation, const trace::Profile& profile, bool all) {
  std::string out = wrapped(rules::summary(evaluation) + " " + evaluation.window, "", "");
  const auto line = [&out](const std::string& text) { out += printable(text) + '\n'; };
  for (std::size_t i = 0; i < evaluation.findings.size(); ++i) {
    const rules::Ranked& each = evaluation.findings[i];
    const std::string saving = rules::saving_text(evaluation, each);
    out += '\n';
    line(fmt::format("{}{}{}", rules::numbered_title(evaluation, i), saving.empty() ? "" : ": ", saving));
    out += wrapped(each.finding.headline, "   ", "   ");
    for (const std::string& each_line : each.finding.evidence_lines) out += wrapped(each_line, "   - ", "     ");
    out += wrapped(each.finding.advice, "   → ", "     ");
    if (each.finding.places.empty()) continue;
    const rules::Place& place = each.finding.places.front();
    line(fmt::format("   At {} ({}{}): {}",
                     format_duration(saturating_difference(place.time.begin, profile.span.begin)),
                     format_duration(place.time.length()),
                     place.weight && place.slice ? ", costs " + format_duration(*place.weight) : "",
                     rules::place_words(place, profile)));
  }
  if (!all) return out + "\nUse --all to also list the rules that found nothing.\n";
  out += "\nAll rules\n";
  for (const rules::Evaluated& each : evaluation.rules)
    line(fmt::format("  {:<24} {:<18} {}", each.rule->name, rules::to_string(each.outcome.verdict), each.outcome.why));
  return out;
}

std::string formatted(const RulesOptions& options, const rules::Evaluation& evaluation, const trace::Profile& profile) {
  if (!options.csv && !options.json && !options.markdown) return readable(evaluation, profile, options.all);
  if (options.json) {
    std::string out;
    rules::write_findings_json(out, evaluation, profile);
    return out;
  }
  std::vector<Table> tables = rules::tables(evaluation, profile);
  const auto shown = options.all ? std::ranges::find(tables, rules::kRulesTable, &Table::id) : tables.begin();
  return written(options, *shown);
}

/// Returns kGateFailed if an issue is found and `fail` is set.
ExitStatus run_rules(const RulesOptions& options) {
  const auto chosen = chosen_rules(options.rules);
  if (!chosen) return fail(chosen.error(), kUsage);
  const settings::LoadSettings saved = saved_settings();
  rules::Evaluation evaluation;
  const auto compute = [&](std::span<Loaded> loaded) -> Result<std::string> {
    const trace::Profile& profile = *loaded.front().profile;
    const auto scope = scope_of(profile, options.ranks);
    if (!scope) return scope.error();
    analysis::SharedResults shared(profile);
    const auto events = loaded.front().loader->events();
    auto evaluated =
        rules::evaluate({.profile = profile, .scope = *scope, .values = {}, .events = events.get(), .shared = &shared},
                        {.settings = chosen->settings,
                         .custom = chosen->custom,
                         .kernel_rules = saved.kernel_class,
                         .aws = options.rules.aws});
    if (!evaluated) return evaluated.error();
    evaluation = std::move(*evaluated);
    return formatted(options, evaluation, profile);
  };
  const ExitStatus status = load_and_print({options.path}, options.load, saved, compute);
  if (status != kDone || !options.fail) return status;
  // A user's rule that cannot be evaluated must not go unnoticed.
  bool failed = rules::issues_in(evaluation) > 0;
  for (const rules::Evaluated& each : evaluation.rules) {
    if (each.rule->evaluate != nullptr || each.outcome.verdict != rules::Verdict::not_evaluable) continue;
    print_message(fmt::format("{} could not be evaluated: {}", each.rule->name, each.outcome.why));
    failed = true;
  }
  return failed ? kGateFailed : kDone;
}

std::function<ExitStatus()> declare_rules(Arguments arguments) {
  const auto options = std::make_shared<RulesOptions>();
  arguments.required("PATH", options->path, "A trace file or a directory of trace files");
  arguments.flag("--fail", options->fail,
                 "Exit with status 1 if an issue is found; hints about the traces are ignored");
  arguments.flag("--all", options->all,
                 "Also list the rules that found nothing, and why; with --csv or --md, print "
                 "that table instead of the findings");
  add_rule_flags(arguments, options->rules);
  add_rank_option(arguments, options->ranks);
  add_format_flags(arguments, *options,
                   "JSON records with exact values, \"schema\": 2: window, account, findings and rules");
  add_load_flags(arguments, options->load, StoreWriting::by_flag);
  return [options] { return run_rules(*options); };
}

}  // namespace

const Command registered::rules::kCommand{.name = "rules",
                                          .about = "Print what wastes GPU time, its cost, and how to fix it",
                                          .declare = declare_rules,
                                          .gate = "an issue was found (with --fail)",
                                          .on_host = true};

}  // namespace warpscope::cli
