#pragma once
// `warpscope analyze NAME PATH [PATH]`: one analysis of the registry, restricted and set as the dashboard can, as text,
// CSV, JSON or markdown.
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct AnalyzeOptions {
  std::string name;
  std::string path;
  std::string other;                        ///< what to compare with, of analyses that do
  bool list = false;                        ///< print what there is instead
  std::vector<std::string> settings;        ///< "k=15"
  std::vector<std::string> kernel_classes;  ///< "communication=my_ring", before those of the user's settings
  bool hta = false;                         ///< the settings hta=true, and hta_rounding=true
  bool hta_rounding = false;
  std::string ranks;  ///< "0,3-5"; empty: all
  std::string from;   ///< time since the profile's begin; empty: its begin
  std::string to;
  std::string part;    ///< id of a table; empty: the main one
  bool parts = false;  ///< print the tables' ids instead
  bool text = false;
  bool csv = false;
  bool json = false;
  bool markdown = false;
  LoadFlags load;
};

/// A table's note goes to stderr where the format has no place for it.
ExitStatus run_analyze(const AnalyzeOptions& options);

extern const Command kAnalyzeCommand;

}  // namespace warpscope::cli
