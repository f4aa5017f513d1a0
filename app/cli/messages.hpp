#pragma once
// What goes to stderr: errors and messages. stdout carries the result of a command and nothing else.
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::cli {

/// "warpscope: FILE: what is wrong; what to do"
void print_error(const Error& error);
void print_message(std::string_view text);

}  // namespace warpscope::cli
