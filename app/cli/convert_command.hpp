#pragma once
// `warpscope convert PATH --out FILE.wscope`: everything that is in PATH, arguments included, in one file that opens at
// once wherever it is carried. Interrupted, or without room, it leaves what was there before as it was.
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct ConvertOptions {
  std::string path;
  std::string out;
  LoadFlags load;
};

ExitStatus run_convert(const ConvertOptions& options);

extern const Command kConvertCommand;

}  // namespace warpscope::cli
