#pragma once
// The part of a profile that an analysis reads: a set of ranks and a time range. The bar above the dashboard, `--rank`
// on the command line, and the report all create a Scope, so all analyses apply the same restrictions.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

struct EvaluatedTime;
class SharedResults;

struct Scope {
  std::vector<std::uint32_t> ranks;                  ///< indices into Profile::ranks; empty: all
  std::optional<Interval> range;                     ///< ns, absolute; slices are clipped to it
  bool evaluated_only = false;                       ///< without a range: slices are clipped to `evaluated`
  std::shared_ptr<const EvaluatedTime> evaluated{};  ///< set by resolved()

  /// Return the time to which slices on a rank's streams or threads are clipped; nullopt: not at all.
  [[nodiscard]] std::optional<Interval> on_gpu(std::uint32_t rank) const;
  [[nodiscard]] std::optional<Interval> on_host(std::uint32_t rank) const;
  /// Same for data that does not belong to a rank: from the first to the last evaluated time of GPUs or, without GPU
  /// activity, of hosts.
  [[nodiscard]] std::optional<Interval> on_job() const;
  /// True if a step (index into Rank::steps) lies within.
  [[nodiscard]] bool has_step(const trace::Profile& profile, std::uint32_t rank, std::uint32_t step) const;
  /// The evaluated time of a rank's GPUs, during which they are busy or idle; nullopt if the scope has none.
  [[nodiscard]] std::optional<Interval> evaluated_on_gpu(std::uint32_t rank) const {
    return range || evaluated == nullptr ? std::nullopt : on_gpu(rank);
  }
  [[nodiscard]] bool whole() const { return !range && evaluated == nullptr; }

  friend bool operator==(const Scope&, const Scope&) = default;
};

/// Returns the scope with `evaluated` set, if it needs it.
[[nodiscard]] Scope resolved(Scope scope, const trace::Profile& profile, const CancelToken* cancel,
                             SharedResults* shared);

/// Returns text that identifies a time range: "12-34", or "all".
[[nodiscard]] std::string range_key(const std::optional<Interval>& range);

/// True if `time` lies entirely within the range. Duration samples are counted in full or not at all.
[[nodiscard]] constexpr bool is_within(Interval time, Interval range) {
  return range.begin <= time.begin && time.end <= range.end;
}

/// Returns the scope's ranks, ascending, without duplicates. Omits ranks that are not in the profile.
[[nodiscard]] std::vector<std::uint32_t> ranks_in(const trace::Profile& profile, const Scope& scope);

/// Returns the time range that percentages are relative to: the profile's span, clipped to the scope's range. Its
/// length is never negative; it is 0 for an empty profile.
[[nodiscard]] Interval extent_of(const trace::Profile& profile, const Scope& scope);

/// Converts steps `first` to `last` (inclusive indices into Profile::steps) to a time range: earliest start to latest
/// end over the scope's ranks. Returns nullopt if none of these ranks has any of the steps.
[[nodiscard]] std::optional<Interval> range_of_steps(const trace::Profile& profile, const Scope& scope,
                                                     std::uint32_t first, std::uint32_t last);

/// Parses "0,3-5": rank numbers as they appear in the traces, or ranges of them. Returns indices into Profile::ranks,
/// ascending; a number that several files share yields several indices. Errors: not a number, or no rank with that
/// number.
[[nodiscard]] Result<std::vector<std::uint32_t>> parse_ranks(const trace::Profile& profile, std::string_view text);

}  // namespace warpscope::analysis
