#pragma once
// The Timeline target of a row of any analysis, derived from the columns: a slice if the row has a rank, a start and a
// name; else a time range, with rank or stream if known; else all slices with its name; else its rank or stream.
#include <optional>
#include <string>

#include "app/ui/model/rank_wish.hpp"
#include "core/base/table.hpp"
#include "core/base/time.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

struct RowTarget {
  std::optional<trace::SliceRef> slice{};
  std::optional<Interval> range{};  ///< ns, absolute
  std::string filter{};             ///< a filter expression; empty: none
  std::optional<RankWish> rank{};   ///< location of the range, if any

  [[nodiscard]] bool leads_nowhere() const { return !slice && !range && filter.empty() && !rank; }
};

/// Returns the target of a row. The table must come from this profile. O(lanes of the rank · log slices).
[[nodiscard]] RowTarget target_of(const trace::Profile& profile, const Table& table, std::size_t row);

/// Returns "Rank 5" or "Stream 7 of rank 5", for a message, because the Timeline does not mark tracks.
[[nodiscard]] std::string words_of(const trace::Profile& profile, const RankWish& wish);

}  // namespace warpscope::ui
