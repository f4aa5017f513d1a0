// `warpscope report PATH --html FILE`: writes the findings and all analyses of a profile to one document, as HTML
// or JSON.
// If interrupted or out of disk space, it leaves an existing file unchanged.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "app/cli/report/report_document.hpp"
#include "app/cli/rule_flags.hpp"
#include "core/analysis/information/information.hpp"
#include "core/analysis/job/framework_time.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/base/files/new_file.hpp"
#include "core/base/format.hpp"
#include "core/base/utf8.hpp"

namespace warpscope::cli {
namespace {

struct ReportOptions {
  std::string path;
  std::string html;
  std::string json;
  std::int64_t rows = 50;  ///< per table; 0 or less: all
  RuleFlags rules;
  LoadFlags load;
};

std::string title_of(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  return name.has_filename() ? name.filename().string() : path;
}

/// The requested format and its file.
struct Target {
  ReportFormat format = ReportFormat::html;
  std::string path;
};
Result<Target> target_of(const ReportOptions& options) {
  std::vector<Target> targets;
  if (!options.html.empty()) targets.push_back({ReportFormat::html, options.html});
  if (!options.json.empty()) targets.push_back({ReportFormat::json, options.json});
  if (targets.size() != 1)
    return Error{"report", targets.empty() ? "needs an output file" : "writes only one file per run",
                 "use --html FILE or --json FILE"};
  return targets.front();
}

struct ReportSource {
  std::string title;
  const trace::Profile& profile;
  const ingest::EventLookup* events = nullptr;  ///< arguments of its slices, if available
  std::string kernel_rules;                     ///< user's rules (analysis::parse_kernel_rules)
  settings::UserRules user{};
  bool aws = false;       ///< see rules::EvaluateOptions
  std::size_t rows = 50;  ///< per table; 0: all
  ReportFormat format = ReportFormat::html;
};

using analysis::Analysis;

std::vector<const Analysis*> analyses_in_report() {
  std::vector<const Analysis*> told;
  for (const Analysis& each : analysis::analyses())
    if (!each.compares) told.push_back(&each);  // a report has only one profile
  return told;
}

/// The analyses at the start of SageMaker Debugger's report.
constexpr std::array<std::string_view, 3> kDebuggersFirst{"job_statistics", "system_usage", "framework_metrics"};

bool is_of_debugger(const trace::Profile& profile) {
  return !profile.metrics.empty() ||
         std::ranges::any_of(profile.ranks, [](const auto& rank) { return analysis::is_framework_timeline(*rank); });
}

/// Runs all analyses and returns the report; `done` tracks the number of finished analyses. After cancellation, the
/// result is invalid.
std::string report_text(const ReportSource& source, const CancelToken& cancel, std::atomic<std::size_t>& done) {
  const std::unique_ptr<ReportDocument> document = make_report(source.format, source.title, source.rows);
  std::vector<Table> facts = analysis::information_tables(source.profile);
  std::vector<Table> diagnostics;
  for (Table& table : facts)
    if (table.id == "diagnostics") diagnostics.push_back(std::move(table));
  std::erase_if(facts, [](const Table& table) { return table.id == "diagnostics" || table.columns().empty(); });
  analysis::SharedResults shared(source.profile);
  const auto add = [&](const Analysis& each, bool leads) {
    std::vector<analysis::Setting> settings;
    if (analysis::has_parameter(each, analysis::kKernelClassParameter.name))
      analysis::append_kernel_rules(settings, source.kernel_rules);
    document->add(
        {&each,
         analysis::run_with_scope_note(each, source.profile, {.ranks = {}, .range = {}, .evaluated_only = !leads},
                                       settings, &cancel, source.events, shared),
         leads});
    done.fetch_add(1);
  };
  const auto evaluation = rules::evaluate({.profile = source.profile,
                                           .scope = {},
                                           .values = {},
                                           .cancel = &cancel,
                                           .events = source.events,
                                           .shared = &shared},
                                          {.settings = source.user.settings,
                                           .custom = source.user.custom,
                                           .kernel_rules = source.kernel_rules,
                                           .aws = source.aws});
  if (evaluation) document->add_findings(*evaluation, source.profile);
  const bool of_debugger = is_of_debugger(source.profile);
  if (of_debugger)
    for (const std::string_view name : kDebuggersFirst) add(*analysis::find_analysis(name), true);
  if (evaluation) document->add_rules(*evaluation, source.profile);
  document->add_part("profile", "Profile", facts);
  document->add_part("diagnostics", "Diagnostics", diagnostics);
  for (const Analysis* each : analyses_in_report()) {
    if (cancel.cancelled()) return {};
    if (!of_debugger || std::ranges::find(kDebuggersFirst, each->name) == kDebuggersFirst.end()) add(*each, false);
  }
  return without_controls(document->text());
}

ExitStatus write_report(const ReportOptions& options, const settings::UserRules& user, const std::string& kernel_rules,
                        const Target& target, const std::string& file, Loaded& loaded, Interrupts& interrupts) {
  std::string text;
  const Failure damage = compute_soundly(std::span(&loaded, 1), [&] {
    const auto events = loaded.loader->events();
    const ReportSource source{title_of(options.path),
                              *loaded.profile,
                              events.get(),
                              kernel_rules,
                              user,
                              options.rules.aws,
                              options.rows > 0 ? static_cast<std::size_t>(options.rows) : 0,
                              target.format};
    std::atomic<std::size_t> done{0};
    run_with_progress(
        interrupts, [&](const CancelToken& cancel) { text = report_text(source, cancel, done); },
        [&] { return fmt::format("report: {} of {} analyses", done.load(), analyses_in_report().size()); });
  });
  if (interrupts.came()) return kNotWritten;
  if (damage) return fail(*damage, kNothingRead);
  if (const Failure failure = replace_file(file, text, Sync::yes)) return fail(*failure, kNotWritten);
  print_message(fmt::format("wrote {}: {} analyses in {}", target.path, analyses_in_report().size(),
                            format_bytes(static_cast<std::int64_t>(text.size()))));
  return kDone;
}

ExitStatus run_report(const ReportOptions& options) {
  const settings::LoadSettings saved = saved_settings();
  const auto target = target_of(options);
  if (!target) return fail(target.error(), kUsage);
  const auto rules = chosen_rules(options.rules);
  if (!rules) return fail(rules.error(), kUsage);
  if (const Failure failure = unreachable_output(target->path)) return fail(*failure, kNotWritten);
  const auto file = output_file(target->path, Replaces::report);
  if (!file) return fail(file.error(), kUsage);
  return load_and_write(options.path, options.load, saved, [&](Loaded& loaded, Interrupts& interrupts) {
    return write_report(options, *rules, saved.kernel_class, *target, *file, loaded, interrupts);
  });
}

std::function<ExitStatus()> declare_report(Arguments arguments) {
  const auto options = std::make_shared<ReportOptions>();
  arguments.required("PATH", options->path, "A trace file or a directory of trace files");
  Arguments formats = arguments.one_of("format");
  formats.text("--html", options->html, "Write an HTML page with charts; replaces an existing report");
  formats.text("--json", options->json, "Write JSON records with exact values, \"schema\": 2");
  arguments.number("--rows", options->rows,
                   "Maximum number of rows per table, 0 for all; JSON always contains all rows");
  add_rule_flags(arguments, options->rules);
  add_load_flags(arguments, options->load, StoreWriting::by_flag);
  return [options] { return run_report(*options); };
}

}  // namespace

const Command registered::report::kCommand{"report", "Write the findings and all analyses to one file: HTML or JSON",
                                           declare_report};

}  // namespace warpscope::cli
