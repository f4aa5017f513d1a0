#include "core/ingest/remote/remote_path.hpp"

#include <cstdint>

#include "core/base/parse_number.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::string_view kHome = "/~/";

}  // namespace

bool is_remote(std::string_view path) { return path.starts_with(kRemoteScheme); }

Result<RemotePath> parse_remote_path(std::string_view text) {
  const auto wrong = [&](const char* what) {
    return Error{std::string(text), what, "write ssh://HOST/PATH, such as ssh://me@login/data/job"};
  };
  std::string_view rest = text;
  rest.remove_prefix(std::min(rest.size(), kRemoteScheme.size()));
  const std::size_t slash = rest.find('/');
  std::string_view host = rest.substr(0, slash);
  std::string_view path = slash == std::string_view::npos ? std::string_view() : rest.substr(slash);
  RemotePath remote;
  const std::size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.back() != ']') {  // not within an IPv6 address
    remote.port = host.substr(colon + 1);
    const auto port = parse_number<std::uint16_t>(remote.port);
    if (!port || *port == 0) return wrong("the port is not a number from 1 to 65535");
    host = host.substr(0, colon);
  }
  if (host.ends_with(']'))  // ssh takes the address without brackets
    if (const std::size_t bracket = host.find('['); bracket != std::string_view::npos)
      remote.host =
          std::string(host.substr(0, bracket)) + std::string(host.substr(bracket + 1, host.size() - bracket - 2));
  if (remote.host.empty()) remote.host = host;
  if (remote.host.empty() || remote.host.ends_with('@')) return wrong("a remote path needs a host");
  if (remote.host.starts_with('-')) return wrong("the host begins with a dash");
  if (path.size() > 1) remote.path = path.starts_with(kHome) ? path.substr(kHome.size()) : path;
  if (path == "/~" || path == kHome) remote.path = ".";
  if (remote.path.empty()) return wrong("a remote path needs a directory or file on the host");
  if (remote.path.starts_with('-')) remote.path.insert(0, "./");
  return remote;
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace warpscope::ingest
