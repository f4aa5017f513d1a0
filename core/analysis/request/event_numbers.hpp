#pragma once
// Numeric event arguments. Profiles do not store arguments, so the few analyses that need them reread the trace file.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/request/registry.hpp"

namespace warpscope::ingest {
struct EventText;
}

namespace warpscope::analysis {

/// Parses a JSON number, as an integer if possible; returns nullopt if `text` is not a number.
[[nodiscard]] std::optional<Cell> number_in(std::string_view text);

/// Returns an integer event argument, such as "args.Bytes"; `missing` if there is none or it is not an integer.
[[nodiscard]] std::int64_t whole_number_of(const ingest::EventText& event, std::string_view path,
                                           std::int64_t missing = -1);

/// Returns a numeric event argument, such as "args.blocks per SM"; nullopt if it is missing or not a number.
[[nodiscard]] std::optional<double> figure_of(const ingest::EventText& event, std::string_view path);

/// Calls visit(slice, event) for each of the `slices`, in file order; events contain only the `wanted` rows, such as
/// "args.Bytes". Errors: same as EventLookup::read_each.
[[nodiscard]] Failure read_events(const AnalysisInput& input, const trace::Rank& rank,
                                  const std::vector<trace::SliceOrdinal>& slices,
                                  std::span<const std::string_view> wanted,
                                  const std::function<void(trace::SliceOrdinal, const ingest::EventText&)>& visit);

/// Calls visit(slice, value) for each of the `slices` whose event has a numeric argument `name`, in file order. Errors:
/// same as EventLookup::read_each; slices before the error have been visited.
[[nodiscard]] Failure read_numbers(const AnalysisInput& input, const trace::Rank& rank,
                                   const std::vector<trace::SliceOrdinal>& slices, std::string_view name,
                                   const std::function<void(trace::SliceOrdinal, double)>& visit);

}  // namespace warpscope::analysis
