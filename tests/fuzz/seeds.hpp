#pragma once
// Inputs to begin with, made by the trace generator: small pieces of traces of every dialect, layout and defect,
// compressed ones, expressions.
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::fuzz {

/// The same on every run. Empty for an unknown target.
[[nodiscard]] std::vector<std::string> seeds_of(std::string_view target);

}  // namespace warpscope::fuzz
