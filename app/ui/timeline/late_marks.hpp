#pragma once
// Ranks that hold the others up, for marks in the tree of a job with many ranks: nobody looks through 1024 rows for the
// one that differs. They are those that late_causes reports as standing out.
#include <string_view>

#include "app/ui/timeline/collectives/rank_matcher.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

class LateMarks {
 public:
  explicit LateMarks(const RankMatcher& matcher) : matcher_(matcher) {}

  /// Why the rank of a row, or the worst of its node if that is folded, is late: "rank 5: all kernels ×1.30"; "" if
  /// none is.
  [[nodiscard]] std::string_view of_entry(const trace::Profile& profile, const trace::TreeEntry& entry,
                                          bool open) const;

 private:
  const RankMatcher& matcher_;
};

}  // namespace warpscope::ui
