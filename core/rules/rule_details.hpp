#pragma once
// Tables of analyses as details of rules, so a rule and the analysis of the same subject show the same figures.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/rules/facts.hpp"
#include "core/rules/rule.hpp"

namespace warpscope::rules {

/// Runs an analysis with its defaults and returns its first `most` tables that have rows, with their charts. Empty if
/// it fails.
[[nodiscard]] std::vector<Detail> details_from(Facts& facts, std::string_view analysis, std::size_t most);

/// Statistics of durations, and their histogram; empty without durations.
[[nodiscard]] std::vector<Detail> distribution_details(std::string id, std::string title,
                                                       const std::vector<Ns>& values);

}  // namespace warpscope::rules
