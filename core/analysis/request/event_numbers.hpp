#pragma once
// Numbers among the arguments of events, which a profile does not keep: they are read again from where the trace was
// read from, for the few analyses that need some.
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

/// A number as JSON has it, an integer if it is one; nothing of other text.
[[nodiscard]] std::optional<Cell> number_in(std::string_view text);

/// Calls visit(slice, figure) for each slice of the rank whose event has a number as argument `name`, in the order of
/// the text. Errors: as EventLookup::read_each; slices before that were visited.
[[nodiscard]] Failure read_numbers(const AnalysisInput& input, const trace::Rank& rank,
                                   std::vector<trace::SliceOrdinal> slices, std::string_view name,
                                   const std::function<void(trace::SliceOrdinal, double)>& visit);

}  // namespace warpscope::analysis
