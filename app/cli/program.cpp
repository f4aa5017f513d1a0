#include "app/cli/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/cli/analysis_help.hpp"
#include "app/cli/analyze_command.hpp"
#include "app/cli/convert_command.hpp"
#include "app/cli/counters_command.hpp"
#include "app/cli/diff_command.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/info_command.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/report_command.hpp"
#include "app/cli/snapshot_command.hpp"
#include "app/cli/window_command.hpp"

namespace warpscope::cli {

namespace {

constexpr const char* kAbout =
    "Shows the traces of GPU training jobs: which rank is late, where the GPUs wait, which kernels eat the time.";
constexpr const char* kFooter =
    "Without a command PATH is opened in a window (without a PATH, the Load page).\n"
    "Exit status: 0 done (damaged parts are diagnostics), 1 slower than --fail-over allows, 2 wrong usage, 3 could not "
    "be "
    "read, 4 could not be written.";

void add_info(CLI::App& program, InfoOptions& options) {
  CLI::App* command = program.add_subcommand("info", "Print what is in a directory or file of traces");
  command->add_option("PATH", options.path, "A trace file, or a directory of them")->required();
  command->add_flag("--json", options.json, "As JSON (documented in the README, \"schema\": 1)");
  command->add_flag("--verify", options.verify,
                    "Only check every part of a .wscope file, or of what is kept of PATH; 3 if any is damaged");
  add_load_flags(*command, options.load, StoreWriting::by_flag);
}

void add_analyze(CLI::App& program, AnalyzeOptions& options) {
  CLI::App* command = program.add_subcommand("analyze", "Compute one analysis and print its table");
  command->add_option("NAME", options.name, "The analysis; --list names them all, NAME --help explains one");
  command->add_option("PATH", options.path, "A trace file, or a directory of them");
  command->add_option("OTHER", options.other, "What to compare PATH with, for analyses that compare two profiles");
  command->add_flag("--list", options.list, "Print all analyses and their parameters");
  command->add_option("--set", options.settings, "A parameter: --set k=15; repeatable")->allow_extra_args(false);
  command
      ->add_option("--kernel-class", options.kernel_classes,
                   "What kernels are by a part of their names, * for anything: communication=my_ring (or computation, "
                   "memory); repeatable, the first that matches holds, before those of the settings")
      ->allow_extra_args(false);
  command->add_flag("--hta", options.hta, "Count as Holistic Trace Analysis does, its faults included, to compare");
  command->add_flag("--hta-rounding", options.hta_rounding, "The same, rounded to whole µs as it does");
  command->add_option("--rank", options.ranks, "Only these ranks: 0,3-5");
  command->add_option("--from", options.from, "Only what lies after: ns since the profile's begin, or with a unit");
  command->add_option("--to", options.to, "Only what lies before");
  command->add_option("--part", options.part, "Print another table of the analysis than its main one");
  command->add_flag("--parts", options.parts, "Print which tables the analysis has");
  CLI::Option_group* const formats = command->add_option_group("format");
  formats->add_flag("--text", options.text, "Aligned columns, for reading (the default)");
  formats->add_flag("--csv", options.csv, "CSV with exact figures; column names carry the unit");
  formats->add_flag("--json", options.json,
                    "JSON with exact figures, \"schema\": 1; all tables unless --part names one");
  formats->add_flag("--md", options.markdown, "A table in GitHub's markdown");
  formats->require_option(0, 1);
  add_load_flags(*command, options.load, StoreWriting::by_flag);
}

void add_diff(CLI::App& program, DiffOptions& options) {
  CLI::App* command = program.add_subcommand("diff", "Print what became slower from one profile to another");
  command->add_option("A", options.control, "The profile to compare with")->required();
  command->add_option("B", options.test, "The profile that is looked at")->required();
  command->add_option("--fail-over", options.fail_over,
                      "End with exit status 1 if a step, kernel or operator became slower by more than this: 5%");
  command->add_option("--at-least", options.at_least, "Leave out what takes less than this of the time of its kind")
      ->capture_default_str();
  command->add_option("--rows", options.rows, "How many are printed, 0 for all")->capture_default_str();
  CLI::Option_group* const formats = command->add_option_group("format");
  formats->add_flag("--csv", options.csv, "CSV with exact figures; column names carry the unit");
  formats->add_flag("--json", options.json, "JSON with exact figures, \"schema\": 1");
  formats->add_flag("--md", options.markdown, "A table in GitHub's markdown");
  formats->require_option(0, 1);
  add_load_flags(*command, options.load, StoreWriting::by_flag);
}

void add_convert(CLI::App& program, ConvertOptions& options) {
  CLI::App* command =
      program.add_subcommand("convert", "Write all of it into one file that opens at once, to carry elsewhere");
  command->add_option("PATH", options.path, "A trace file, or a directory of them")->required();
  command->add_option("--out", options.out, "The file to write, NAME.wscope")->required();
  add_load_flags(*command, options.load, StoreWriting::by_flag);
}

void add_counters(CLI::App& program, CountersOptions& options) {
  CLI::App* command = program.add_subcommand(
      "counters", "Write the traces again, with queue lengths and memory bandwidths as counters in them");
  command->add_option("PATH", options.path, "A trace file, or a directory of them")->required();
  command->add_option("--out", options.out, "The file to write, .json or .json.gz; of several ranks a folder")
      ->required();
  command->add_option("--rank", options.ranks, "Only these ranks: 0,3-5");
  add_load_flags(*command, options.load, StoreWriting::by_flag);
}

void add_report(CLI::App& program, ReportOptions& options) {
  CLI::App* command = program.add_subcommand(
      "report", "Write what is in it and every analysis, with charts, as one page to be read, sent and printed");
  command->add_option("PATH", options.path, "A trace file, or a directory of them")->required();
  command->add_option("--html", options.html, "The file to write; an earlier report there is replaced")->required();
  command->add_option("--rows", options.rows, "How many of each table are told, 0 for all")->capture_default_str();
  add_load_flags(*command, options.load, StoreWriting::by_flag);
}

void add_snapshot(CLI::App& program, SnapshotOptions& options) {
  CLI::App* command =
      program.add_subcommand("snapshot", "Write the picture that the window would show, without a display");
  command->add_option("PATH", options.path,
                      "A trace file, or a directory of them; not needed for --page load and settings");
  command->add_option("--out", options.out, "The PNG file to write")->required();
  command
      ->add_option("--page", options.page, "Page to show (timeline, dashboard, analysis, information, load, settings)")
      ->capture_default_str();
  command->add_option("--size", options.size, "Output pixels, WxH")->capture_default_str();
  command->add_option("--scale", options.scale, "Scale of the interface (1, 2, …)")->capture_default_str();
  command->add_option("--theme", options.theme, "dark or light")
      ->check(CLI::IsMember({"dark", "light"}))
      ->capture_default_str();
  command->add_option("--from", options.from, "Left edge: ns since the profile's begin, or with a unit (12.3ms)");
  command->add_option("--to", options.to, "Right edge");
  command->add_option("--select", options.select, "Select the first slice that this filter expression finds");
  command->add_option("--expand", options.expand, "Unfold tracks: all, or part of their label; repeatable");
  command->add_option("--bottom", options.bottom, "Tab of the bottom pane: selection, connections, range, diagnostics");
  command->add_option("--script", options.script, "Keys and clicks to play before the picture is taken");
  command->add_option("--dump-state", options.state, "Also write the visible state as JSON to this file");
  command->add_option("--root", options.roots, "A folder whose profiles the Load page lists; repeatable");
  add_load_flags(*command, options.load, StoreWriting::by_flag);
}

void add_window(CLI::App& program, WindowCommandOptions& options) {
  program.add_option("PATH", options.path, "A trace file, a directory of them, or a file that convert wrote");
  program.add_option("--theme", options.theme, "dark or light, for this run")->check(CLI::IsMember({"dark", "light"}));
  program.add_option("--scale", options.scale, "Scale of the interface, for this run");
  program
      .add_option("--page", options.page, "Page to show after the load (dashboard, timeline, analysis, information)")
      ->check(CLI::IsMember({"dashboard", "timeline"}));
  program.add_option("--size", options.size, "Size of the window, WxH");
  program.add_option("--dump-state", options.state, "Write the visible state as JSON to this file whenever it changes");
  program.add_option("--root", options.roots, "A folder whose profiles the Load page lists in this run; repeatable");
  program.add_flag("--watch", options.watch, "Take in files that appear and grow in PATH");
  add_load_flags(program, options.load, StoreWriting::by_settings);
}

/// Of `analyze NAME --help`.
const analysis::Analysis* explained_analysis(const CLI::App& program) {
  if (!program.got_subcommand("analyze")) return nullptr;
  const std::vector<std::string> names = program.get_subcommand("analyze")->get_option("NAME")->results();
  return names.empty() ? nullptr : analysis::find_analysis(names.front());
}

// A first word that is neither a command nor a path was probably meant as a command.
std::string hint_for(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  std::error_code ignored;
  if (!first.empty() && first.front() != '-' && !std::filesystem::exists(first, ignored) && first != "info" &&
      first != "analyze" && first != "diff" && first != "snapshot" && first != "convert" && first != "counters" &&
      first != "report")
    return "there is no command \"" + std::string(first) +
           "\" and no such path; the commands are info, analyze, diff, report, snapshot, convert and counters";
  return "warpscope --help lists what there is";
}

/// Where a stream was closed (`>&-`), the next file that is opened would take its number, and a result would go there:
/// a file that takes nothing holds the place, so that it is said.
void hold_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

}  // namespace

int run_program(int argc, char** argv) {
  hold_standard_streams();
  // A store that grows beyond the user's limit of file sizes is an error like a full disk, no reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App program(kAbout, "warpscope");
  program.footer(kFooter);
  program.set_version_flag("--version", WARPSCOPE_VERSION);
  program.require_subcommand(0, 1);
  InfoOptions info;
  AnalyzeOptions analyze;
  DiffOptions diff;
  ConvertOptions convert;
  CountersOptions counters;
  ReportOptions report;
  SnapshotOptions snapshot;
  WindowCommandOptions window;
  add_info(program, info);
  add_analyze(program, analyze);
  add_diff(program, diff);
  add_convert(program, convert);
  add_counters(program, counters);
  add_report(program, report);
  add_snapshot(program, snapshot);
  add_window(program, window);

  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const analysis::Analysis* explained = explained_analysis(program);
    if (error.get_exit_code() == 0 && explained != nullptr) return print_result(help_of(*explained));
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    print_error({"", std::string(error.what()), hint_for(argc, argv)});
    return kUsage;
  }
  if (program.got_subcommand("info")) return run_info(info);
  if (program.got_subcommand("analyze")) return run_analyze(analyze);
  if (program.got_subcommand("diff")) return run_diff(diff);
  if (program.got_subcommand("convert")) return run_convert(convert);
  if (program.got_subcommand("counters")) return run_counters(counters);
  if (program.got_subcommand("report")) return run_report(report);
  if (program.got_subcommand("snapshot")) return run_snapshot(snapshot);
  return run_window_command(window);
}

}  // namespace warpscope::cli
