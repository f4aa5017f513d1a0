#pragma once
// `warpscope [PATH]`: opens the window.
#include <functional>

#include "app/cli/arguments.hpp"
#include "app/cli/exit_status.hpp"

namespace warpscope::cli {

/// Declares the program's own options; the returned function opens the window.
std::function<ExitStatus()> declare_window(Arguments arguments);

}  // namespace warpscope::cli
