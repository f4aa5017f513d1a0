#pragma once
// Writes a profile's report: its findings and all analyses in one document (report_document.hpp). Shared by the command
// line and the window.
#include <atomic>
#include <cstddef>
#include <string>

#include "app/cli/report/report_document.hpp"
#include "app/settings/user_rules.hpp"
#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::cli {

struct ReportSource {
  std::string title;
  const trace::Profile& profile;
  const ingest::EventLookup* events = nullptr;  ///< arguments of its slices, if available
  std::string kernel_rules;                     ///< user's rules (analysis::parse_kernel_rules)
  settings::UserRules user{};
  bool aws = false;       ///< see rules::EvaluateOptions
  std::size_t rows = 50;  ///< per table; 0: all
  ReportFormat format = ReportFormat::html;
};

/// Returns the number of analyses in a report.
[[nodiscard]] std::size_t analyses_in_report();

/// Runs all analyses and returns the report; `done` tracks the number of finished analyses. After cancellation, the
/// result is invalid.
[[nodiscard]] std::string report_text(const ReportSource& source, const CancelToken& cancel,
                                      std::atomic<std::size_t>& done);

}  // namespace warpscope::cli
