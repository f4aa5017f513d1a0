#pragma once
// `warpscope rules PATH`: what loses GPU time, what it costs, and what to do. --fail makes it a gate for scripts.
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/rule_flags.hpp"

namespace warpscope::cli {

struct RulesOptions {
  std::string path;
  std::string ranks;
  RuleFlags rules;
  bool fail = false;
  bool all = false;  ///< also rules that found nothing
  bool csv = false;
  bool json = false;
  bool markdown = false;
  LoadFlags load;
};

/// Returns kGateFailed if an issue is found and `fail` is set.
ExitStatus run_rules(const RulesOptions& options);

extern const Command kRulesCommand;

}  // namespace warpscope::cli
