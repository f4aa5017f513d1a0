#pragma once
// `warpscope snapshot PATH --page timeline --out FILE.png …`: renders the same picture as the window, without a display
// or a GPU.
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct SnapshotOptions {
  std::string path;  ///< empty for pages that need no profile
  std::string out;
  std::string page = "timeline";
  std::string size = "1600x1000";
  double scale = 1;
  std::string theme = "dark";
  std::string from;  ///< empty: everything
  std::string to;
  std::string select;
  std::vector<std::string> expand;
  std::string bottom;
  std::string script;
  std::vector<std::string> roots;
  std::string state;
  LoadFlags load;
};

ExitStatus run_snapshot(const SnapshotOptions& options);

extern const Command kSnapshotCommand;

}  // namespace warpscope::cli
