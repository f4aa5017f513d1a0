#include "app/cli/messages.hpp"

#include <cstdio>
#include <string>

namespace warpscope::cli {

void print_message(std::string_view text) {
  const std::string line = "warpscope: " + std::string(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

void print_error(const Error& error) { print_message(error.message()); }

}  // namespace warpscope::cli
