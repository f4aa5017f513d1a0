#pragma once
// Prints errors and messages to stderr. stdout contains only a command's result.
#include <string_view>

#include "app/cli/exit_status.hpp"
#include "core/base/result.hpp"

namespace warpscope::cli {

/// Prints "warpscope: FILE: what is wrong; what to do".
void print_error(const Error& error);
/// Prints the error and returns `status`.
ExitStatus fail(const Error& error, ExitStatus status);
void print_message(std::string_view text);
/// Writes a command's entire result to stdout. On failure, prints a message and returns kNotWritten.
ExitStatus print_result(std::string_view text);

}  // namespace warpscope::cli
