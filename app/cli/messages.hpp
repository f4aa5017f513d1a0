#pragma once
// The only way to stdout and stderr, so that no name, path or error can write an escape sequence to a terminal: every
// command prints through these functions and ProgressLine (layers_test checks this). stdout contains only a command's
// result.
#include <functional>
#include <string_view>

#include "app/cli/exit_status.hpp"
#include "core/base/result.hpp"

namespace warpscope::cli {

/// Prints "warpscope: FILE: what is wrong; what to do".
void print_error(const Error& error);
/// Prints the error and returns `status`.
ExitStatus fail(const Error& error, ExitStatus status);
void print_message(std::string_view text);
[[nodiscard]] bool prints_to_terminal();
/// Writes a command's entire result to stdout, without_controls() also if stdout is a file or pipe, whose contents may
/// be shown by a terminal later. JSON does not change, because it escapes these characters. On failure, prints a
/// message and returns kNotWritten.
ExitStatus print_result(std::string_view text);
/// Writes binary data to stdout, unchanged, as `write` passes it to its argument. Not for terminals. Same errors.
ExitStatus print_binary(const std::function<void(const std::function<void(std::string_view)>&)>& write);

}  // namespace warpscope::cli
