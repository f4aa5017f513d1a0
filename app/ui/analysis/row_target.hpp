#pragma once
// Where a row of any analysis leads in the Timeline, told from its columns: a slice, where it has a rank, a begin and a
// name; else a stretch of time, of a rank or stream if it names one; else all slices of its name; else the rank or
// stream that it is of.
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
  std::optional<RankWish> rank{};   ///< where the range is, if there is one

  [[nodiscard]] bool leads_nowhere() const { return !slice && !range && filter.empty() && !rank; }
};

/// O(lanes of the rank · log slices). A table of another profile leads anywhere, so it must be of this one.
[[nodiscard]] RowTarget target_of(const trace::Profile& profile, const Table& table, std::size_t row);

/// "Rank 5", "Stream 7 of rank 5": for a message, since nothing marks tracks in the Timeline.
[[nodiscard]] std::string words_of(const trace::Profile& profile, const RankWish& wish);

}  // namespace warpscope::ui
