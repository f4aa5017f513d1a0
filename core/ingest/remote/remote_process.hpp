#pragma once
// The user's own ssh, running `warpscope serve` on another machine. It asks for passwords and host keys on the
// terminal, as always; its messages are kept for the error.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/descriptor.hpp"
#include "core/base/process/child_process.hpp"
#include "core/base/result.hpp"
#include "core/ingest/remote/remote_path.hpp"

namespace warpscope::ingest {

/// The environment variable that tells Warpscope that ssh has started it on a host. ssh does not stop what it has
/// started if it ends.
inline constexpr const char* kOnHost = "WARPSCOPE_ON_HOST";

/// Returns the command that runs `warpscope ARGUMENTS` on the host. `terminal`: it uses the user's terminal.
[[nodiscard]] std::vector<std::string> ssh_command(const RemotePath& remote, std::span<const std::string> arguments,
                                                   bool terminal);
/// Returns why such a command failed, from its exit status and the last line of its messages; nullopt if ssh and the
/// shell of the host are not to blame.
[[nodiscard]] Failure ssh_failure(const RemotePath& remote, int status, const std::string& said);

class RemoteProcess {
 public:
  /// Errors: there is no ssh; no process can be started.
  [[nodiscard]] static Result<std::unique_ptr<RemoteProcess>> start(const RemotePath& remote);
  /// Ends the connection, and the process if it does not end by itself.
  ~RemoteProcess();
  RemoteProcess(const RemoteProcess&) = delete;
  RemoteProcess& operator=(const RemoteProcess&) = delete;

  /// The process's stdin and stdout.
  [[nodiscard]] int stream() const { return stream_.get(); }
  /// True if the process has ended. Its stream may stay open, in a process that it started.
  [[nodiscard]] bool ended();
  /// Ends the process and returns why it gave no answer, from its exit status and messages.
  [[nodiscard]] Error why(const RemotePath& remote);

 private:
  RemoteProcess() = default;
  int end();  // returns the exit status; -1 if it was killed

  Descriptor stream_;
  Descriptor messages_;
  std::optional<ChildProcess> process_;
};

}  // namespace warpscope::ingest
