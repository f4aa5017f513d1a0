#include "core/analysis/longest_gaps.hpp"

#include <algorithm>
#include <tuple>

namespace warpscope::analysis {
namespace {

/// Longer ones come first.
bool comes_before(const LongestGaps::Gap& a, const LongestGaps::Gap& b) {
  const auto place = [](const LongestGaps::Gap& gap) {
    return std::tuple(-gap.time.length(), gap.time.begin, gap.rank, gap.device, gap.stream);
  };
  return place(a) < place(b);
}

}  // namespace

void LongestGaps::add(const Gap& gap) {
  ++added_;
  if (most_ == 0 || gaps_.size() < most_) {
    gaps_.push_back(gap);
    if (gaps_.size() == most_) std::ranges::make_heap(gaps_, comes_before);
    return;
  }
  if (!comes_before(gap, gaps_.front())) return;
  std::ranges::pop_heap(gaps_, comes_before);
  gaps_.back() = gap;
  std::ranges::push_heap(gaps_, comes_before);
}

Table LongestGaps::table(const trace::Profile& profile, Ns zero) const {
  Table table("longest-gaps", "Longest gaps",
              {{"rank", "", ColumnKind::identifier, "rank"},
               {"device", "", ColumnKind::identifier, "device"},
               {"stream", "", ColumnKind::identifier, "stream"},
               {"begin", "", ColumnKind::time, "ts", 1000, zero},
               {"duration", "", ColumnKind::duration, "dur", 1000},
               {"cause", "", ColumnKind::text, "idle_category"},
               {"next run", "", ColumnKind::text, "next_run"}});
  std::vector<Gap> order = gaps_;
  std::ranges::sort(order, comes_before);
  for (const Gap& gap : order) {
    const trace::Rank& rank = *profile.ranks[gap.rank];
    table.add_row({rank.number, gap.device, gap.stream, saturating_difference(gap.time.begin, profile.span.begin),
                   gap.time.length(), gap.cause, profile.names().view(rank.name(gap.next_run))});
  }
  return table;
}

}  // namespace warpscope::analysis
