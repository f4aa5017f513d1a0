#pragma once
// `warpscope diff A B`: what became slower from one profile to another, kernel by kernel, operator by operator, step by
// step; with --fail-over as a gate for scripts that watch a training job's speed.
#include <optional>
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct DiffOptions {
  std::string control;
  std::string test;
  std::optional<std::string> fail_over;  ///< "5%"; not given: nothing fails
  std::string at_least = "1%";           ///< of the time of its kind, on either side; what takes less is noise
  std::int64_t rows = 20;                ///< how many are printed, 0 for all
  bool csv = false;
  bool json = false;
  bool markdown = false;
  LoadFlags load;
};

/// kGateFailed if anything that is told became slower than it may.
ExitStatus run_diff(const DiffOptions& options);

extern const Command kDiffCommand;

}  // namespace warpscope::cli
