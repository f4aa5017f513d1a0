#pragma once
// What the command line says of analyses: `analyze --list` of all of them, `analyze NAME --help` of one. All of it is
// the analysis' own description and parameters, wrapped to kHelpWidth columns.
#include <cstddef>
#include <string>
#include <string_view>

#include "core/analysis/request/registry.hpp"

namespace warpscope::cli {

inline constexpr std::size_t kHelpWidth = 100;

/// Name, what it counts, and its parameters, of each analysis.
[[nodiscard]] std::string list_of_analyses();
/// What it counts, how HTA counts and what differs from its figures even with --hta; its parameters with what holds
/// where nothing is said; an example.
[[nodiscard]] std::string help_of(const analysis::Analysis& analysis);

/// Appends `text` with each line `indent` columns from the left, the first one behind what stands in `out` since its
/// last line's begin. A word that is wider than the room has a line of its own.
void append_wrapped(std::string& out, std::string_view text, std::size_t indent);

}  // namespace warpscope::cli
