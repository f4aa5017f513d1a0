#pragma once
// `warpscope report PATH --html FILE`: writes all analyses of a profile to one page for reading, sharing and printing.
// If interrupted or out of disk space, it leaves an existing file unchanged.
#include <cstdint>
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"

namespace warpscope::cli {

struct ReportOptions {
  std::string path;
  std::string html;
  std::int64_t rows = 50;  ///< per table; 0 or less: all
  LoadFlags load;
};

ExitStatus run_report(const ReportOptions& options);

extern const Command kReportCommand;

}  // namespace warpscope::cli
