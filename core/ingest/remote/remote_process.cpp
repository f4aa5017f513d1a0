#include "core/ingest/remote/remote_process.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/base/parse_number.hpp"

namespace warpscope::ingest {

namespace {

constexpr int kSshFailed = 255;

std::string program_itself() {
  std::array<char, 4096> path{};
  const ::ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  return size > 0 ? std::string(path.data(), static_cast<std::size_t>(size)) : "warpscope";
}

/// Returns the last line of what a process wrote to the file.
std::string last_line(int file) {
  std::array<char, 8192> text{};
  const ::off_t size = ::lseek(file, 0, SEEK_END);
  const ::off_t from = std::max<::off_t>(0, size - static_cast<::off_t>(text.size()));
  const ::ssize_t got = ::pread(file, text.data(), text.size(), from);
  const std::string_view lines = trimmed({text.data(), static_cast<std::size_t>(std::max<::ssize_t>(0, got))}, " \r\n");
  const std::size_t line = lines.rfind('\n');
  return std::string(trimmed(line == std::string_view::npos ? lines : lines.substr(line + 1), " \r\n"));
}

/// "ssh: Could not resolve hostname" → "Could not resolve hostname"
std::string without_program(const std::string& said) {
  constexpr std::string_view kProgram = "ssh: ";
  return said.starts_with(kProgram) ? said.substr(kProgram.size()) : said;
}

std::string ssh_to(const RemotePath& remote) {
  return "ssh " + (remote.port.empty() ? "" : "-p " + remote.port + " ") + remote.host;
}

}  // namespace

std::vector<std::string> ssh_command(const RemotePath& remote, std::span<const std::string> arguments, bool terminal) {
  // Any shell understands this. Shells without a login do not read the files that extend the PATH. The inner shell
  // stays, also after Ctrl-C, so that a signal that ends Warpscope becomes a status.
  std::string run = "exec sh -c 'PATH=$PATH:$HOME/.local/bin:$HOME/bin; trap : INT; ";
  run += std::string(kOnHost) + "=1 warpscope \"$@\"; exit $?' sh";
  for (const std::string& argument : arguments) run += " " + shell_quoted(argument);
  // A dead connection is noticed within 30 s. The level hides "Connection closed", but no error.
  std::vector<std::string> command{"ssh", terminal ? "-t" : "-T", "-x", "-o", "ServerAliveInterval=10",
                                   "-o",  "LogLevel=ERROR"};
  if (!remote.port.empty()) command.insert(command.end(), {"-p", remote.port});
  command.insert(command.end(), {remote.host, run});
  return command;
}

Failure ssh_failure(const RemotePath& remote, int status, const std::string& said) {
  const std::string ssh = ssh_to(remote);
  constexpr std::string_view kUnfit = "error while loading shared libraries";
  if (status == kNotFound && said.find(kUnfit) != std::string::npos)
    return Error{remote.host, "Warpscope there does not run: " + said, "build it there"};
  if (status == kNotFound)
    return Error{remote.host, "Warpscope is not installed there, or not in the PATH",
                 "install it: " + ssh +
                     " 'mkdir -p .local/bin && cat > .local/bin/warpscope && chmod +x .local/bin/warpscope' < " +
                     shell_quoted(program_itself()) + " (or build it there, if the system is another)"};
  if (status == kSshFailed)
    return Error{remote.host, "cannot connect" + (said.empty() ? "" : ": " + without_program(said)),
                 "check that this works: " + ssh};
  return {};
}

Result<std::unique_ptr<RemoteProcess>> RemoteProcess::start(const RemotePath& remote) {
  std::unique_ptr<RemoteProcess> started(new RemoteProcess);
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{"ssh", std::string("cannot be started: ") + std::strerror(errno), ""};
  started->stream_ = Descriptor(ends[0]);
  const Descriptor theirs(ends[1]);
  started->messages_ = Descriptor(::memfd_create("ssh", MFD_CLOEXEC));
  sigset_t none;
  sigemptyset(&none);
  started->process_.emplace(ssh_command(remote, std::array<std::string, 3>{"serve", "--", remote.path}, false),
                            std::vector<std::string>(), none,
                            ChildStreams{theirs.get(), theirs.get(), started->messages_.get()});
  const int failed = started->process_->failed();
  if (failed == 0) return started;
  if (failed == ENOENT) return Error{"ssh", "is not installed", "install the OpenSSH client"};
  return Error{"ssh", std::string("cannot be started: ") + std::strerror(failed), ""};
}

RemoteProcess::~RemoteProcess() { end(); }

bool RemoteProcess::ended() { return !process_ || process_->ended().has_value(); }

int RemoteProcess::end() {
  constexpr int kLooks = 30;
  constexpr useconds_t kPause = 10'000;
  stream_ = Descriptor();
  for (int i = 0; !ended(); ++i) {
    if (i == kLooks) process_->send(SIGTERM);
    if (i == 2 * kLooks) process_->send(SIGKILL);
    ::usleep(kPause);
  }
  return !process_ || process_->killed() ? -1 : *process_->ended();
}

Error RemoteProcess::why(const RemotePath& remote) {
  const int status = end();
  const std::string said = messages_ ? last_line(messages_.get()) : std::string();
  if (const Failure failure = ssh_failure(remote, status, said)) return *failure;
  if (status > kKilledBy)
    return {remote.host, "Warpscope there was ended by signal " + std::to_string(status - kKilledBy),
            status - kKilledBy == SIGKILL ? "the host may be out of memory" : "reload the profile"};
  return {remote.host, said.empty() ? "the connection was closed" : "Warpscope there ended: " + said,
          "check that this works: " + ssh_to(remote) + " warpscope --version"};
}

}  // namespace warpscope::ingest
