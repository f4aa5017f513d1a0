#include "app/cli/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/analyze_command.hpp"
#include "app/cli/command.hpp"
#include "app/cli/convert_command.hpp"
#include "app/cli/counters_command.hpp"
#include "app/cli/diff_command.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/info_command.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/report_command.hpp"
#include "app/cli/snapshot_command.hpp"
#include "app/cli/window_command.hpp"

namespace warpscope::cli {

namespace {

constexpr const char* kAbout =
    "Shows the traces of GPU training jobs: which rank is late, what the GPUs wait for, which kernels take the time.";
constexpr const char* kFooter =
    "Without a command, PATH opens in a window (without a PATH, the Load page).\n"
    "Exit status: 0 success (corrupt parts of the input are diagnostics), 1 slower than --fail-over allows, 2 usage "
    "error, 3 the input is unreadable, 4 the result could not be written.";

/// One line per command, in the order of --help.
const std::array<const Command*, 7> kCommands{&kInfoCommand,     &kAnalyzeCommand, &kDiffCommand,    &kConvertCommand,
                                              &kCountersCommand, &kReportCommand,  &kSnapshotCommand};

/// A first word that is neither a command nor a path was probably meant as a command.
std::string hint_for(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  std::string names;
  for (const Command* command : kCommands) {
    if (first == command->name) return std::string("see warpscope ") + command->name + " --help";
    names += (names.empty() ? "" : command == kCommands.back() ? " and " : ", ") + std::string(command->name);
  }
  std::error_code ignored;
  if (!first.empty() && first.front() != '-' && !std::filesystem::exists(first, ignored))
    return "\"" + std::string(first) + "\" is neither a command nor a path; the commands are " + names;
  return "see warpscope --help";
}

/// Where a stream was closed (`>&-`), the next file that is opened would take its number, and a result would go there:
/// a file that takes nothing holds the place, so that it is said.
void hold_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// What the arguments can ask for, by the name of the command.
struct Program {
  CommandLine line{kAbout, "warpscope"};
  std::map<std::string_view, std::function<ExitStatus()>> run;
  std::map<std::string_view, std::function<std::optional<std::string>()>> explain;

  Program() {
    line.footer(kFooter);
    line.version(WARPSCOPE_VERSION);
    for (const Command* command : kCommands) {
      const Arguments arguments = line.command(command->name, command->about);
      run[command->name] = command->declare(arguments);
      if (command->explain != nullptr) explain[command->name] = [=] { return command->explain(arguments); };
    }
    run[""] = declare_window(line.options());
  }
};

}  // namespace

std::vector<CommandText> command_texts() { return Program().line.texts(); }

int run_program(int argc, char** argv) {
  hold_standard_streams();
  // A store that grows beyond the user's limit of file sizes is an error like a full disk, no reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  Program program;
  const std::optional<ParseEnd> ended = program.line.parse(argc, argv);
  const std::string chosen = program.line.chosen();
  if (!ended) return program.run.at(chosen)();
  if (!ended->problem.empty()) {
    print_error({"", ended->problem, hint_for(argc, argv)});
    return kUsage;
  }
  const auto explained = program.explain.contains(chosen) ? program.explain.at(chosen)() : std::nullopt;
  return print_result(explained ? *explained : ended->output);
}

}  // namespace warpscope::cli
