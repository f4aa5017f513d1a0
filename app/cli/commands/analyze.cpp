// `warpscope analyze NAME PATH [PATH]`: runs one registered analysis with the same scope and parameters as on the
// dashboard and writes text, CSV, JSON or Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/commands/analysis_help.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/written_table.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/shared/hta.hpp"
#include "core/base/format.hpp"
#include "core/base/npz/npz_writer.hpp"
#include "core/base/table_writers.hpp"

namespace warpscope::cli {

namespace {

using analysis::Analysis;
using analysis::Scope;
using analysis::Setting;

struct AnalyzeOptions : TableFormat {
  std::string name;
  std::string path;
  std::string other;                        ///< second profile, for analyses that compare
  bool list = false;                        ///< list the analyses instead
  std::vector<std::string> settings;        ///< "k=15"
  std::vector<std::string> kernel_classes;  ///< "communication=my_ring"; override those in the user's settings
  bool hta = false;                         ///< sets hta=true and hta_rounding=true
  bool hta_rounding = false;
  std::string ranks;  ///< "0,3-5"; empty: all
  bool whole = false;
  std::string from;  ///< time since the start of the profile; empty: its start
  std::string to;
  std::string part;    ///< id of a table; empty: the main one
  bool parts = false;  ///< print the table ids instead
  bool text = false;
  LoadFlags load;
};

/// Adds kernel rules for analyses that classify kernels: first those from the command line, then those from the user's
/// settings.
Failure add_kernel_rules(std::vector<Setting>& settings, const AnalyzeOptions& options, const Analysis& chosen,
                         const settings::LoadSettings& saved) {
  const bool asks = analysis::has_parameter(chosen, analysis::kKernelClassParameter.name);
  if (!options.kernel_classes.empty() && !asks)
    return Error{"--kernel-class", fmt::format("does not apply to {}, which does not classify kernels", chosen.name),
                 "omit --kernel-class"};
  for (const std::string& rule : options.kernel_classes) {
    const auto read = analysis::parse_kernel_rules(rule);
    if (!read) return Error{"--kernel-class " + rule, read.error().what, read.error().advice};
    analysis::append_kernel_rules(settings, rule);
  }
  if (asks) analysis::append_kernel_rules(settings, saved.kernel_class);
  return {};
}

Result<std::vector<Setting>> parse_settings(const AnalyzeOptions& options, const Analysis& chosen,
                                            const settings::LoadSettings& saved) {
  std::vector<Setting> settings;
  // Scripts may look up GPU activity by correlation id.
  if ((options.csv || options.json || options.npz) &&
      analysis::has_parameter(chosen, analysis::kCorrelationParameter.name))
    settings.emplace_back(analysis::kCorrelationParameter.name, "true");
  if (auto failure = add_kernel_rules(settings, options, chosen, saved)) return *failure;
  const auto add_flag = [&](const char* flag, std::string_view name) -> Failure {
    if (!analysis::has_parameter(chosen, name))
      return Error{flag, fmt::format("does not apply to {}, which is not one of HTA's analyses", chosen.name),
                   fmt::format("omit {}", flag)};
    settings.emplace_back(name, "true");
    return {};
  };
  if (options.hta || options.hta_rounding)
    if (auto failure = add_flag("--hta", analysis::kHtaParameter.name)) return *failure;
  if (options.hta_rounding)
    if (auto failure = add_flag("--hta-rounding", analysis::kRoundingParameter.name)) return *failure;
  for (const std::string& text : options.settings) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{"--set " + text, "is not in the form name=value", "for example --set k=15"};
    settings.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return settings;
}

Result<Scope> parse_scope(const AnalyzeOptions& options, const trace::Profile& profile) {
  auto scope = scope_of(profile, options.ranks);
  if (!scope) return scope;
  scope->evaluated_only = !options.whole;
  const auto range = range_option(profile, options.from, options.to);
  if (!range) return range.error();
  if (*range) scope->range = **range;
  return scope;
}

Table list_of_parts(std::string_view analysis, const std::vector<Table>& tables) {
  Table list("parts", "Tables of this analysis",
             {{"part", "", ColumnKind::text},
              {"sql name", "", ColumnKind::text},
              {"title", "", ColumnKind::text},
              {"rows", "", ColumnKind::integer}});
  for (const NamedTable& each : named_tables(analysis, tables))
    list.add_row({each.table->id, each.name, each.table->title, each.table->rows()});
  return list;
}

std::vector<Table>::const_iterator chosen_part(const AnalyzeOptions& options, const std::vector<Table>& tables) {
  if (options.part.empty()) return tables.begin();
  return std::ranges::find(tables, options.part, &Table::id);
}

/// Formats the main table or the requested part; with --json, all tables if no part is requested. Returns "" for --npz.
Result<std::string> output(const AnalyzeOptions& options, const std::vector<Table>& tables) {
  if (options.parts) return written(options, list_of_parts(options.name, tables));
  std::vector<NamedTable> named = named_tables(options.name, tables);
  const auto as_json = [&] {
    std::string out;
    write_json(out, named);
    return out;
  };
  if (options.json && options.part.empty()) return as_json();
  const auto table = chosen_part(options, tables);
  if (table == tables.end()) {
    std::string ids;
    for (const Table& each : tables) ids += (ids.empty() ? "" : ", ") + each.id;
    return Error{"--part " + options.part, "is not a table of " + options.name, "its tables are " + ids};
  }
  if ((options.csv || (options.npz && !options.part.empty())) && !table->note.empty()) print_message(table->note);
  if (options.npz) return std::string();
  if (!options.csv && !options.json && !options.markdown && !options.part.empty() && !table->text_layout.empty()) {
    std::string out;  // without a title, because it is input for another program
    write_text(out, *table, {.title = false});
    return out;
  }
  if (!options.json) return written(options, *table);
  named = {named[static_cast<std::size_t>(table - tables.begin())]};
  return as_json();
}

/// Checks the options before anything is loaded.
Failure check(const AnalyzeOptions& options) {
  if (options.name.empty())
    return Error{"analyze", "needs an analysis", "run warpscope analyze --list to see all analyses"};
  if (analysis::find_analysis(options.name) == nullptr)
    return Error{options.name, "is not an analysis", "run warpscope analyze --list to see all analyses"};
  if (options.path.empty())
    return Error{"analyze " + options.name, "needs a path", "specify a trace file or a directory of trace files"};
  const bool compares = analysis::find_analysis(options.name)->compares;
  if (compares && options.other.empty())
    return Error{"analyze " + options.name, "compares two profiles",
                 "specify two trace files or two directories of trace files"};
  if (!compares && !options.other.empty())
    return Error{options.other, "is an unexpected second path for " + options.name,
                 "only trace_diff and ops_diff compare two profiles"};
  if (compares && (!options.from.empty() || !options.to.empty()))
    return Error{"--from and --to", "do not apply when comparing two profiles, which do not share a time axis",
                 "choose steps: --set control_iteration=10 --set test_iteration=10"};
  return {};
}

/// Runs the analysis.
Result<std::vector<Table>> tables_of(const AnalyzeOptions& options, const Analysis& chosen,
                                     const std::vector<Setting>& settings, std::span<Loaded> loaded) {
  const trace::Profile& profile = *loaded.front().profile;
  const auto events = loaded.front().loader->events();
  auto scope = parse_scope(options, profile);
  if (!scope) return scope.error();
  if (chosen.compares)
    return analysis::run_analysis(chosen, profile, std::move(*scope), settings, nullptr, loaded[1].profile.get(),
                                  events.get());
  analysis::SharedResults shared(profile);
  return analysis::run_with_scope_note(chosen, profile, std::move(*scope), settings, nullptr, events.get(), shared);
}

/// Prints the result of the analysis. A note that the format cannot contain goes to stderr.
ExitStatus run_analyze(const AnalyzeOptions& options) {
  if (options.list) return print_result(list_of_analyses());
  if (const Failure failure = refused_on_terminal(options)) return fail(*failure, kUsage);
  if (const Failure failure = check(options)) return fail(*failure, kUsage);
  const Analysis& chosen = *analysis::find_analysis(options.name);
  const settings::LoadSettings saved = saved_settings();
  const auto settings = parse_settings(options, chosen, saved);
  if (!settings) return fail(settings.error(), kUsage);
  if (const auto values = analysis::ParameterValues::parse(chosen.parameters, *settings); !values)
    return fail(values.error(), kUsage);
  std::vector<std::string> paths{options.path};
  if (chosen.compares) paths.push_back(options.other);
  std::vector<Table> result;
  const auto compute = [&](std::span<Loaded> loaded) -> Result<std::string> {
    auto tables = tables_of(options, chosen, *settings, loaded);
    if (!tables) return tables.error();
    result = std::move(*tables);
    return output(options, result);
  };
  const auto print_arrays = [&] {
    return print_binary([&](const ByteSink& out) {
      if (options.part.empty())
        write_npz(out, named_tables(options.name, result));
      else
        write_npz(out, *chosen_part(options, result));
    });
  };
  return load_and_print(paths, options.load, saved, compute, true,
                        options.npz ? print_arrays : std::function<ExitStatus()>());
}

std::function<ExitStatus()> declare_analyze(Arguments arguments) {
  const auto options = std::make_shared<AnalyzeOptions>();
  arguments.text("NAME", options->name, "Analysis to run (--list shows all; NAME --help describes one)");
  arguments.text("PATH", options->path, "A trace file or a directory of trace files");
  arguments.text("OTHER", options->other, "Second profile, for analyses that compare two profiles");
  arguments.flag("--list", options->list, "List all analyses and their parameters");
  arguments.list("--set", options->settings, "Set a parameter: --set k=15; repeatable");
  arguments.list("--kernel-class", options->kernel_classes,
                 "Classify kernels by part of their name (* matches anything): communication=my_ring (or computation, "
                 "memory); repeatable; the first match wins and overrides the rules in the settings");
  arguments.flag("--hta", options->hta,
                 "Compute results the way Holistic Trace Analysis (HTA) does, including its bugs");
  arguments.flag("--hta-rounding", options->hta_rounding, "Same as --hta, with times rounded to whole µs as in HTA");
  add_rank_option(arguments, options->ranks);
  arguments.text("--from", options->from,
                 "Start of the time range, relative to the start of the profile (ns, or with a unit)");
  arguments.text("--to", options->to, "End of the time range");
  arguments.flag("--whole", options->whole,
                 "The whole recording instead of the evaluated steps (all complete steps; of four or more, not the "
                 "first and last)");
  arguments.text("--part", options->part, "Print this table instead of the main one");
  arguments.flag("--parts", options->parts, "List the analysis's tables");
  Arguments formats = add_format_flags(
      arguments, *options, "JSON records with exact values, \"schema\": 2; all tables unless --part selects one");
  add_npz_flag(
      formats, *options,
      "NumPy arrays with exact values, one per column: all tables, as TABLE/COLUMN, unless --part selects one");
  formats.flag("--text", options->text, "Human-readable aligned columns (default)");
  add_load_flags(arguments, options->load, StoreWriting::by_flag);
  return [options] { return run_analyze(*options); };
}

/// Help text for `analyze NAME --help`.
std::optional<std::string> explain_analysis(const Arguments& arguments) {
  const std::vector<std::string> names = arguments.values("NAME");
  const analysis::Analysis* const analysis = names.empty() ? nullptr : analysis::find_analysis(names.front());
  return analysis != nullptr ? std::optional(help_of(*analysis)) : std::nullopt;
}

}  // namespace

const Command registered::analyze::kCommand{.name = "analyze",
                                            .about = "Compute one analysis and print its table",
                                            .declare = declare_analyze,
                                            .explain = explain_analysis,
                                            .on_host = true};

}  // namespace warpscope::cli
