#pragma once
// `warpscope diff A B`: reports what became slower from one profile to another, per kernel, operator and step.
// --fail-over makes it a gate for scripts that monitor training speed.
#include <optional>
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct DiffOptions {
  std::string control;
  std::string test;
  std::optional<std::string> fail_over;  ///< "5%"; not given: never fails
  std::string at_least = "1%";           ///< share of the time of its kind, on either side; anything below is noise
  std::int64_t rows = 20;                ///< maximum number of rows, 0 for all
  bool csv = false;
  bool json = false;
  bool markdown = false;
  LoadFlags load;
};

/// Returns kGateFailed if anything reported slowed down by more than the limit.
ExitStatus run_diff(const DiffOptions& options);

extern const Command kDiffCommand;

}  // namespace warpscope::cli
