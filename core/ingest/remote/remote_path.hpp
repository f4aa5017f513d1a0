#pragma once
// Paths on other machines: "ssh://[USER@]HOST[:PORT]/PATH", as for git and rsync. "/~/" begins the home directory.
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::ingest {

struct RemotePath {
  std::string host;  ///< as for ssh: "node7", "me@node7"
  std::string port;  ///< "" for the one that ssh is configured for
  std::string path;  ///< absolute, or relative to the home directory
};

inline constexpr std::string_view kRemoteScheme = "ssh://";
/// True if the path is meant to be remote, valid or not.
[[nodiscard]] bool is_remote(std::string_view path);
/// Errors: no host, no path, an invalid port, a host that ssh would take for an option.
[[nodiscard]] Result<RemotePath> parse_remote_path(std::string_view text);

/// Returns the text quoted for any common shell.
[[nodiscard]] std::string shell_quoted(std::string_view text);

}  // namespace warpscope::ingest
