#pragma once
// Reports a command's diagnostics in one line on stderr, so incomplete input is not mistaken for a complete job. The
// window has a Diagnostics tab, and `info` prints a table.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace/profile.hpp"

namespace warpscope::cli {

/// What was loaded of a job. Most ranks are missing from a share, which is no problem.
enum class LoadedPart : std::uint8_t { everything, share };

/// Summarizes errors and warnings by kind, most severe first, naming at most three kinds: "2 warnings: ranks missing:
/// 2, 5–7 of 8; skipped bytes: 4 096 in rank3.json". "" if there are none; diagnostics of severity info are ignored.
[[nodiscard]] std::string diagnostics_line(const trace::Profile& profile, LoadedPart part = LoadedPart::everything);

/// Prints diagnostics_line() unless it is empty, followed by a pointer to the full list: "`warpscope info DIR` lists
/// them".
void print_diagnostics(const trace::Profile& profile, std::string_view listed_where,
                       LoadedPart part = LoadedPart::everything);
/// Prints the diagnostics of the profile opened as `path`, with a pointer to `info`.
void print_diagnostics_of(const trace::Profile& profile, const std::string& path,
                          LoadedPart part = LoadedPart::everything);

}  // namespace warpscope::cli
