// `warpscope report PATH --html FILE`: writes the findings and all analyses of a profile to one document, as HTML
// or JSON.
// If interrupted or out of disk space, it leaves an existing file unchanged.

#include <fmt/format.h>

#include <atomic>
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "app/cli/report/report_file.hpp"
#include "app/cli/rule_flags.hpp"
#include "core/base/files/new_file.hpp"
#include "core/base/format.hpp"

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
        [&] { return fmt::format("report: {} of {} analyses", done.load(), analyses_in_report()); });
  });
  if (interrupts.came()) return kNotWritten;
  if (damage) return fail(*damage, kNothingRead);
  if (const Failure failure = replace_file(file, text, Sync::yes)) return fail(*failure, kNotWritten);
  print_message(fmt::format("wrote {}: {} analyses in {}", target.path, analyses_in_report(),
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
  formats.text("--json", options->json, "Write JSON with exact values, \"schema\": 1");
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
