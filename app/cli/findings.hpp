#pragma once
// What a command without a window says of odd input: one line on stderr, so that nobody takes figures of half a job for
// those of the whole. The window has its Diagnostics tab, `info` its table.
#include <string>
#include <string_view>

#include "core/trace/profile.hpp"

namespace warpscope::cli {

/// "2 warnings: ranks missing: 2, 5–7 of 8; skipped bytes: 4 096 in rank3.json": the kinds of errors and warnings, the
/// worst first, three of them by name. "" where there are none; what is mere information does not count.
[[nodiscard]] std::string findings_text(const trace::Profile& profile);

/// Prints that, if there is anything, and where all of them are listed: "`warpscope info DIR` lists them".
void print_findings(const trace::Profile& profile, std::string_view listed_where);
/// The same of what was opened as `path`, which `info` lists.
void print_findings_of(const trace::Profile& profile, const std::string& path);

}  // namespace warpscope::cli
