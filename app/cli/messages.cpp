#include "app/cli/messages.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/base/utf8.hpp"

namespace warpscope::cli {

void print_message(std::string_view text) {
  const std::string line = "warpscope: " + printable(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

namespace {

ExitStatus finish_result(bool whole) {
  if (std::fflush(stdout) == 0 && whole) return kDone;
  print_message(std::string("cannot write the result: ") + std::strerror(errno));
  return kNotWritten;
}

}  // namespace

bool prints_to_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

ExitStatus print_result(std::string_view result) {
  const std::string text = without_controls(result);
  errno = 0;
  return finish_result(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

ExitStatus print_binary(const std::function<void(const std::function<void(std::string_view)>&)>& write) {
  constexpr int kPipeBytes = 1 << 20;  // fewer switches to the reader
  static_cast<void>(::fcntl(STDOUT_FILENO, F_SETPIPE_SZ, kPipeBytes));
  errno = 0;
  bool whole = true;
  write(
      [&](std::string_view part) { whole = whole && std::fwrite(part.data(), 1, part.size(), stdout) == part.size(); });
  return finish_result(whole);
}

void print_error(const Error& error) { print_message(error.message()); }

ExitStatus fail(const Error& error, ExitStatus status) {
  print_error(error);
  return status;
}

}  // namespace warpscope::cli
