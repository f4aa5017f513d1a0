#pragma once
// Marks late ranks in the track tree, because nobody searches 1024 rows for the one that differs. Late ranks are those
// that late_causes reports as standing out.
#include <string_view>

#include "app/ui/timeline/collectives/rank_matcher.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

class LateMarks {
 public:
  explicit LateMarks(const RankMatcher& matcher) : matcher_(matcher) {}

  /// Returns why the rank of a row (or the worst rank of a folded node) is late: "rank 5: all kernels ×1.30"; "" if
  /// none is late.
  [[nodiscard]] std::string_view of_entry(const trace::Profile& profile, const trace::TreeEntry& entry,
                                          bool open) const;

 private:
  const RankMatcher& matcher_;
};

}  // namespace warpscope::ui
