#pragma once
// `warpscope [PATH]`: opens the window.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_status.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct WindowCommandOptions {
  std::string path;   ///< empty: the Load page
  std::string theme;  ///< "dark", "light", or empty: as the settings say
  double scale = 0;   ///< 0: as the display or the settings say
  std::string page;   ///< after the load; empty: the Dashboard
  std::string size;   ///< "1600x1000", or empty: as remembered
  std::string state;  ///< file for the state dump, or empty
  bool watch = false;
  std::vector<std::string> roots;
  LoadFlags load;
};

ExitStatus run_window_command(const WindowCommandOptions& options);

/// Declares the options of the program itself; what it returns opens the window.
std::function<ExitStatus()> declare_window(Arguments arguments);

}  // namespace warpscope::cli
