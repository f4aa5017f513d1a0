#pragma once
// `warpscope report PATH --html FILE`: writes the findings and all analyses of a profile to one document, as HTML,
// Markdown or JSON.
// If interrupted or out of disk space, it leaves an existing file unchanged.
#include <cstdint>
#include <string>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/rule_flags.hpp"

namespace warpscope::cli {

struct ReportOptions {
  std::string path;
  std::string html;
  std::string markdown;
  std::string json;
  std::int64_t rows = 50;  ///< per table; 0 or less: all
  RuleFlags rules;
  LoadFlags load;
};

ExitStatus run_report(const ReportOptions& options);

extern const Command kReportCommand;

}  // namespace warpscope::cli
