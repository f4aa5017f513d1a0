#pragma once
// A command of the program. To add a command, create a file in commands/ that defines `const Command kCommand` in the
// namespace registered::NAME, then add a line below. The list is used to print --help, validate the first argument, and
// list the commands in error messages.
#include <functional>
#include <optional>
#include <string>

#include "app/cli/arguments.hpp"
#include "app/cli/exit_status.hpp"

// One line per command, in --help order. Each line refers to registered::NAME::kCommand.
#define WARPSCOPE_COMMANDS(COMMAND) \
  COMMAND(info)                     \
  COMMAND(rules)                    \
  COMMAND(analyze)                  \
  COMMAND(sql)                      \
  COMMAND(diff)                     \
  COMMAND(convert)                  \
  COMMAND(counters)                 \
  COMMAND(report)                   \
  COMMAND(snapshot)                 \
  COMMAND(record)                   \
  COMMAND(serve)                    \
  COMMAND(skill)

namespace warpscope::cli {

struct Command {
  const char* name;   ///< the first argument
  const char* about;  ///< one line of --help
  /// Declares the options; the returned function runs the command with them.
  std::function<ExitStatus()> (*declare)(Arguments arguments);
  /// Given the arguments before `--help`, returns the text to print instead of the options. May be null.
  std::optional<std::string> (*explain)(const Arguments& arguments) = nullptr;
  const char* gate = nullptr;      ///< meaning of exit status 1, if the command can return it
  const char* statuses = nullptr;  ///< meaning of its exit statuses, if nonstandard
  bool on_host = false;            ///< runs where a remote PATH is (see host_command.hpp)
};

namespace registered {
#define WARPSCOPE_DECLARE(name)  \
  namespace name {               \
  extern const Command kCommand; \
  }
WARPSCOPE_COMMANDS(WARPSCOPE_DECLARE)
#undef WARPSCOPE_DECLARE
}  // namespace registered

}  // namespace warpscope::cli
