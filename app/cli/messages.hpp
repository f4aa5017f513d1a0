#pragma once
// Prints errors and messages to stderr. stdout contains only the result of a command.
#include <string_view>

#include "app/cli/exit_status.hpp"
#include "core/base/result.hpp"

namespace warpscope::cli {

/// Prints "warpscope: FILE: what is wrong; what to do".
void print_error(const Error& error);
/// Prints the error and returns `status`.
ExitStatus fail(const Error& error, ExitStatus status);
void print_message(std::string_view text);
/// Writes the whole result of a command to stdout. On failure, prints a message and returns kNotWritten.
ExitStatus print_result(std::string_view text);

}  // namespace warpscope::cli
