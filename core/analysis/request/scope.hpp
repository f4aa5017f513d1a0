#pragma once
// Which part of a profile an analysis looks at: some ranks, a stretch of time. The bar above the dashboard, `--rank` of
// the command line and the report all become one of these, so that every analysis is restricted in the same way.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct Scope {
  std::vector<std::uint32_t> ranks;  ///< indices into Profile::ranks; empty: all of them
  std::optional<Interval> range;     ///< ns, absolute. Slices that reach over an edge count with the part inside

  friend bool operator==(const Scope&, const Scope&) = default;
};

/// True if all of `time` lies in the range: samples of durations count whole or not at all.
[[nodiscard]] constexpr bool is_within(Interval time, Interval range) {
  return range.begin <= time.begin && time.end <= range.end;
}

/// The ranks of the scope, each once, ascending; what the profile does not have is left out.
[[nodiscard]] std::vector<std::uint32_t> ranks_in(const trace::Profile& profile, const Scope& scope);

/// The time that shares are of: the profile's span, or what the scope's range has of it. Never negative in length;
/// of no length if there is nothing.
[[nodiscard]] Interval extent_of(const trace::Profile& profile, const Scope& scope);

/// The ranks of some nodes (indices into Profile::nodes), ascending.
[[nodiscard]] std::vector<std::uint32_t> ranks_of_nodes(const trace::Profile& profile,
                                                        std::span<const std::uint32_t> nodes);

/// Steps `first` to `last` (indices into Profile::steps, both included) as a range: from the begin of the first to the
/// end of the last on any rank of the scope. Nothing if no rank of the scope has any of them.
[[nodiscard]] std::optional<Interval> range_of_steps(const trace::Profile& profile, const Scope& scope,
                                                     std::uint32_t first, std::uint32_t last);

/// Reads "0,3-5": numbers of ranks as the traces give them, and ranges of such. Indices into Profile::ranks, ascending;
/// several where files share a number. Errors: no number, or no rank of that number.
[[nodiscard]] Result<std::vector<std::uint32_t>> parse_ranks(const trace::Profile& profile, std::string_view text);

}  // namespace warpscope::analysis
