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
  std::string path;    ///< empty: the Load page
  std::string theme;   ///< "dark", "light", or empty: use the setting
  double scale = 0;    ///< 0: use the setting or the display's scale
  std::string page;    ///< shown after the load; empty: the default page
  std::string size;    ///< "1600x1000", or empty: last size
  std::string clocks;  ///< "aligned", "recorded", or empty: aligned
  std::string state;   ///< path of the state dump, or empty
  bool watch = false;
  std::vector<std::string> roots;
  LoadFlags load;
};

ExitStatus run_window_command(const WindowCommandOptions& options);

/// Declares the options of the program itself; the returned function opens the window.
std::function<ExitStatus()> declare_window(Arguments arguments);

}  // namespace warpscope::cli
