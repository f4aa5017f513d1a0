#include "app/cli/messages.hpp"

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

ExitStatus print_result(std::string_view result) {
  const std::string text = without_controls(result);
  errno = 0;
  const bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && whole) return kDone;
  print_message(std::string("cannot write the result: ") + std::strerror(errno));
  return kNotWritten;
}

void print_error(const Error& error) { print_message(error.message()); }

ExitStatus fail(const Error& error, ExitStatus status) {
  print_error(error);
  return status;
}

}  // namespace warpscope::cli
