#pragma once
// `warpscope counters PATH --out FILE`: writes the queue depth of each stream and the bandwidth of memory copies as
// counters, for use in other viewers: one small trace per rank, to open together with the original. If interrupted or
// out of disk space, it leaves existing files unchanged.
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct CountersOptions {
  std::string path;
  std::string out;
  std::string ranks;  ///< "0,3-5"; empty: all
  LoadFlags load;
};

ExitStatus run_counters(const CountersOptions& options);

extern const Command kCountersCommand;

}  // namespace warpscope::cli
