#pragma once
// Reports a command's diagnostics in one line on stderr, so incomplete input is not mistaken for a complete job. The
// window has a Diagnostics tab, and `info` prints a table.
#include <string>
#include <string_view>

#include "core/trace/profile.hpp"

namespace warpscope::cli {

/// Summarizes errors and warnings by kind, most severe first, naming at most three kinds: "2 warnings: ranks missing:
/// 2, 5–7 of 8; skipped bytes: 4 096 in rank3.json". "" if there are none; diagnostics of severity info are ignored.
[[nodiscard]] std::string diagnostics_line(const trace::Profile& profile);

/// Prints diagnostics_line() unless it is empty, followed by a pointer to the full list: "`warpscope info DIR` lists
/// them".
void print_diagnostics(const trace::Profile& profile, std::string_view listed_where);
/// Prints the diagnostics of the profile opened as `path`, with a pointer to `info`.
void print_diagnostics_of(const trace::Profile& profile, const std::string& path);

}  // namespace warpscope::cli
