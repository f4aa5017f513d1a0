#include "core/ingest/build/time_bulk.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace warpscope::ingest {

void TimeBulk::find(Ns begin) {
  key_ = begin >> kCellBits;
  last_ = &cells_[key_];
}

void TimeBulk::add(const TimeBulk& other) {
  for (const auto& [key, from] : other.cells_) {
    Cell& cell = cells_[key];
    cell.end = std::max(cell.end, from.end);
    cell.times = cover(cell.times, from.times);
    cell.count += from.count;
  }
}

std::vector<TimeBulk::Group> TimeBulk::groups() const {
  std::vector<Group> groups;
  for (const auto& [key, cell] : cells_) {
    if (!groups.empty() && saturating_difference(cell.times.begin, groups.back().end) <= kLongestGap) {
      Group& group = groups.back();
      group = {cover(group.times, cell.times), std::max(group.end, cell.end), group.count + cell.count};
    } else {
      groups.push_back({cell.times, cell.end, cell.count});
    }
  }
  return groups;
}

Ns TimeBulk::gaps(Interval bulk) const {
  Ns total = 0;
  const std::vector<Group> all = groups();
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i - 1].times.begin >= bulk.begin && all[i].times.end <= bulk.end)
      total = saturating_add(total, saturating_difference(all[i].times.begin, all[i - 1].end));
  return total;
}

Interval TimeBulk::bulk() const {
  const std::vector<Group> groups = this->groups();
  if (groups.empty()) return kEmptySpan;
  std::uint64_t all = 0;
  for (const Group& group : groups) all += group.count;
  auto first = std::ranges::max_element(groups, {}, &Group::count);
  auto last = first;
  std::uint64_t inside = first->count;
  for (;;) {
    const std::uint64_t outside = all - inside;
    const bool few = outside < inside && (outside <= kFewTimes || outside <= all / kFewShare);
    const Ns length = std::max(kLongestGap, saturating_difference(last->end, first->times.begin));
    constexpr Ns kNone = std::numeric_limits<Ns>::max();
    const Ns before = first == groups.begin() ? kNone : saturating_difference(first->times.begin, (first - 1)->end);
    const Ns after = last + 1 == groups.end() ? kNone : saturating_difference((last + 1)->times.begin, last->end);
    if (outside == 0 || (few && std::min(before, after) > length)) break;
    const bool down = last + 1 == groups.end() || (first != groups.begin() && before <= after);
    inside += (down ? --first : ++last)->count;
  }
  return {first->times.begin, last->times.end};
}

}  // namespace warpscope::ingest
