#pragma once
// Adds analysis tables to rules as details, so a rule and the corresponding analysis show the same values.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

/// Runs an analysis with its defaults and returns its first `most` non-empty tables, with their charts. Empty if the
/// analysis fails.
[[nodiscard]] std::vector<Detail> details_from(Facts& facts, std::string_view analysis, std::size_t most);

/// Returns the statistics and the histogram of durations; empty if there are none.
[[nodiscard]] std::vector<Detail> distribution_details(std::string id, std::string title,
                                                       const std::vector<Ns>& values);

}  // namespace warpscope::rules
