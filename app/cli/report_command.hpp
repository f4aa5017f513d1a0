#pragma once
// `warpscope report PATH --html FILE`: everything that is told of a profile, as one page to be read, sent and printed.
// Interrupted, or without room, it leaves what was there before as it was.
#include <cstdint>
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct ReportOptions {
  std::string path;
  std::string html;
  std::int64_t rows = 50;  ///< of each table; 0 or less: all
  LoadFlags load;
};

ExitStatus run_report(const ReportOptions& options);

extern const Command kReportCommand;

}  // namespace warpscope::cli
