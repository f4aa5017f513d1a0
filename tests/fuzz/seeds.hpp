#pragma once
// Initial inputs, made by the trace generator: small pieces of traces in every dialect and layout and with every
// defect, compressed files, expressions.
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::fuzz {

/// Deterministic. Empty for an unknown target.
[[nodiscard]] std::vector<std::string> seeds_of(std::string_view target);

}  // namespace warpscope::fuzz
