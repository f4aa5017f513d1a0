#include "app/cli/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/command.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/host_command.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/window_command.hpp"
#include "core/base/threads/caught.hpp"

namespace warpscope::cli {

namespace {

constexpr const char* kAbout =
    "Analyzes traces of GPU training jobs: late ranks, causes of GPU idle time, the most expensive kernels.";
/// Describes the exit statuses. `gate`: see Command::gate.
std::string statuses(const char* gate) {
  return "Exit status: 0 success (corrupt input is reported as diagnostics), " +
         (gate != nullptr ? "1 " + std::string(gate) + ", " : std::string()) +
         "2 usage error, 3 unreadable input, 4 the result could not be written.";
}

#define WARPSCOPE_LIST(name) &registered::name::kCommand,
constexpr std::array kCommands{WARPSCOPE_COMMANDS(WARPSCOPE_LIST)};
#undef WARPSCOPE_LIST

/// Returns advice for a usage error. If the first argument is neither a command nor a path, it was probably meant as a
/// command.
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

/// Opens /dev/null in place of closed standard streams (`>&-`). Otherwise the next file opened would get a standard
/// stream's number and receive its output. stdout and stderr are opened read-only, so writing to them fails and the
/// error is reported.
void hold_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// Options of the program and its commands, by command name.
struct Program {
  CommandLine line{kAbout, "warpscope"};
  std::map<std::string_view, std::function<ExitStatus()>> run;
  std::map<std::string_view, std::function<std::optional<std::string>()>> explain;

  Program() {
    line.version(WARPSCOPE_VERSION);
    for (const Command* command : kCommands) {
      // Applies to the commands declared next.
      line.footer(command->statuses != nullptr ? command->statuses : statuses(command->gate));
      const Arguments arguments = line.command(command->name, command->about);
      run[command->name] = command->declare(arguments);
      if (command->explain != nullptr) explain[command->name] = [=] { return command->explain(arguments); };
    }
    line.footer("Without a command, opens PATH in a window (without a PATH, shows the Load page).\n" +
                statuses("slowdown exceeds diff's --fail-over limit"));
    run[""] = declare_window(line.options());
  }
};

}  // namespace

std::vector<CommandText> command_texts() { return Program().line.texts(); }

int run_program(int argc, char** argv) {
  hold_standard_streams();
  // Exceeding the user's file size limit becomes a write error, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  Program program;
  const std::optional<ParseEnd> ended = program.line.parse(argc, argv);
  const std::string chosen = program.line.chosen();
  if (!ended) {
    end_with_connection();
    try {
      const auto command = std::ranges::find(kCommands, chosen, [](const Command* each) { return each->name; });
      if (command != kCommands.end() && (*command)->on_host)
        if (const auto status = run_on_host(argc, argv)) return *status;
      return program.run.at(chosen)();
    } catch (...) {  // most likely out of memory
      print_error(caught(""));
      return kNothingRead;
    }
  }
  if (!ended->problem.empty()) return fail({"", ended->problem, hint_for(argc, argv)}, kUsage);
  const auto explained = program.explain.contains(chosen) ? program.explain.at(chosen)() : std::nullopt;
  return print_result(explained ? *explained : ended->output);
}

}  // namespace warpscope::cli
