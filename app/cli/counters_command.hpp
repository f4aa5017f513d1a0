#pragma once
// `warpscope counters PATH --out FILE`: the traces again, with the length of each stream's queue and the bandwidth of
// copies as counters in them, for those who look at traces in another viewer. Interrupted, or without room, it leaves
// what was there before as it was.
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
