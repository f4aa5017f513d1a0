#pragma once
// `warpscope analyze NAME PATH [PATH]`: runs one registered analysis with the same scope and parameters as on the
// dashboard and writes text, CSV, JSON or Markdown.
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct AnalyzeOptions {
  std::string name;
  std::string path;
  std::string other;                        ///< second profile, for analyses that compare
  bool list = false;                        ///< list the analyses instead
  std::vector<std::string> settings;        ///< "k=15"
  std::vector<std::string> kernel_classes;  ///< "communication=my_ring"; precede those of the user's settings
  bool hta = false;                         ///< sets hta=true and hta_rounding=true
  bool hta_rounding = false;
  std::string ranks;  ///< "0,3-5"; empty: all
  std::string from;   ///< time since the start of the profile; empty: its start
  std::string to;
  std::string part;    ///< id of a table; empty: the main one
  bool parts = false;  ///< print the table ids instead
  bool text = false;
  bool csv = false;
  bool json = false;
  bool markdown = false;
  LoadFlags load;
};

/// Prints the note of a table to stderr if the format has no place for it.
ExitStatus run_analyze(const AnalyzeOptions& options);

extern const Command kAnalyzeCommand;

}  // namespace warpscope::cli
