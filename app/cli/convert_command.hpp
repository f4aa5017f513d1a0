#pragma once
// `warpscope convert PATH --out FILE.wscope`: writes everything in PATH, arguments included, to one portable file that
// opens instantly. If interrupted or out of disk space, it leaves an existing file unchanged.
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
