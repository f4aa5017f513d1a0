#pragma once
// Help on analyses: `analyze --list` for all analyses, `analyze NAME --help` for a single one. The text comes from the
// descriptions of the analysis and its parameters and is wrapped to kHelpWidth columns.
#include <cstddef>
#include <string>
#include <string_view>

#include "core/analysis/request/registry.hpp"

namespace warpscope::cli {

inline constexpr std::size_t kHelpWidth = 100;

/// Lists each analysis with its name, description and parameters.
[[nodiscard]] std::string list_of_analyses();
/// Describes one analysis: what it computes, how HTA computes it, how results with --hta still differ from HTA's, the
/// parameters with their defaults, and an example.
[[nodiscard]] std::string help_of(const analysis::Analysis& analysis);

/// Appends `text` with each line indented by `indent` columns; the first line continues the last line of `out`. A word
/// wider than the available width gets its own line.
void append_wrapped(std::string& out, std::string_view text, std::size_t indent);

}  // namespace warpscope::cli
