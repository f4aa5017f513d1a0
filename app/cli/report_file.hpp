#pragma once
// The report of a profile as a file: all analyses of one profile on a page (report_page.hpp). The command line and the
// window write the same.
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::cli {

struct ReportSource {
  std::string title;
  const trace::Profile& profile;
  const ingest::EventLookup* events = nullptr;  ///< its slices' arguments, if they are there
  std::string kernel_rules;                     ///< the user's (analysis::parse_kernel_rules)
  std::size_t rows = 50;                        ///< of each table; 0: all
};

/// How many analyses a report has.
[[nodiscard]] std::size_t analyses_in_report();

/// Computes all; `done` counts analyses. Of no use once cancelled.
[[nodiscard]] std::string report_text(const ReportSource& source, const CancelToken& cancel,
                                      std::atomic<std::size_t>& done);

/// Replaces `file` (as output_file() gives it) as a whole, or leaves it as it was. Errors: as the system says.
[[nodiscard]] Failure write_report_file(const std::string& file, std::string_view text,
                                        std::filesystem::perms permissions);

}  // namespace warpscope::cli
