#pragma once
// What goes to stderr: errors and messages. stdout carries the result of a command and nothing else.
#include <string_view>

#include "app/cli/exit_status.hpp"
#include "core/base/result.hpp"

namespace warpscope::cli {

/// "warpscope: FILE: what is wrong; what to do"
void print_error(const Error& error);
void print_message(std::string_view text);
/// Writes a command's result to stdout, all of it. kNotWritten, with a message, if that fails.
ExitStatus print_result(std::string_view text);

}  // namespace warpscope::cli
