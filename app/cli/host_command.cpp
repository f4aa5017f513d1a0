#include "app/cli/host_command.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "app/cli/interrupts.hpp"
#include "app/cli/messages.hpp"
#include "core/base/ending_signal.hpp"
#include "core/base/process/child_process.hpp"
#include "core/ingest/remote/remote_process.hpp"

namespace warpscope::cli {

namespace {

constexpr std::array<std::string_view, 5> kNamesFile{"--settings-file", "--rules-file", "--export", "--file", "-f"};
constexpr int kLookMs = 10;

bool names_file(std::string_view argument) {
  const std::string_view option = argument.substr(0, argument.find('='));
  return std::ranges::find(kNamesFile, option) != kNamesFile.end() || (option.starts_with("-f") && option.size() > 2);
}

}  // namespace

std::optional<ExitStatus> run_on_host(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto path = std::ranges::find_if(arguments, ingest::is_remote);
  if (path == arguments.end() || std::any_of(path + 1, arguments.end(), ingest::is_remote) ||
      std::ranges::any_of(arguments, names_file))
    return std::nullopt;
  const auto remote = ingest::parse_remote_path(*path);
  if (!remote) return fail(remote.error(), kUsage);
  *path = remote->path;
  const bool terminal = ::isatty(STDIN_FILENO) != 0 && prints_to_terminal();
  sigset_t none;
  sigemptyset(&none);
  Interrupts interrupts;
  ChildProcess ssh(ingest::ssh_command(*remote, arguments, terminal), {}, none);
  if (ssh.failed() != 0) return fail({"ssh", "cannot be started", "install the OpenSSH client"}, kNothingRead);
  std::optional<int> ended;
  bool sent = false;
  while (!(ended = ssh.ended())) {
    if (!sent && interrupts.came()) ssh.send(SIGTERM);
    sent = sent || interrupts.came();
    ::poll(nullptr, 0, kLookMs);
  }
  if (interrupts.came()) interrupts.end();
  if (*ended == kKilledBy + SIGINT)  // by the terminal, which ssh passes on
    end_by_signal(SIGINT);
  if (const Failure failure = ingest::ssh_failure(*remote, *ended, {})) return fail(*failure, kNothingRead);
  return static_cast<ExitStatus>(*ended);
}

void end_with_connection() {
  if (std::getenv(ingest::kOnHost) == nullptr) return;
  std::thread([] {
    const sigset_t ending = ending_signals();  // other threads handle them
    ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    pollfd output{1, 0, 0};
    while (::poll(&output, 1, -1) < 0 && errno == EINTR) {
    }
    ::kill(::getpid(), SIGTERM);
  }).detach();
}

}  // namespace warpscope::cli
