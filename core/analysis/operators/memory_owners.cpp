#include "core/analysis/operators/memory_owners.hpp"

#include <algorithm>
#include <numeric>

namespace warpscope::analysis {

// Walks a thread's events and changes in parallel.
std::vector<std::uint32_t> owners_of(const trace::Rank& rank, const std::vector<HostEvent>& events,
                                     std::span<const MemoryChange> changes,
                                     const std::function<bool(const HostEvent&)>& counts) {
  std::vector<std::uint32_t> owners(changes.size(), HostEvent::kNone);
  std::vector<std::uint32_t> order(changes.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto track_of = [&](trace::SliceOrdinal slice) { return rank.track_of_lane(rank.locate(slice).lane); };
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return track_of(changes[i].slice); });
  std::size_t e = 0;
  for (std::size_t i = 0; i < order.size();) {
    const std::uint32_t track = track_of(changes[order[i]].slice);
    while (e < events.size() && track_of(events[e].slice) < track) ++e;
    std::vector<std::uint32_t> open;
    for (; i < order.size() && track_of(changes[order[i]].slice) == track; ++i) {
      const MemoryChange& change = changes[order[i]];
      for (; e < events.size() && track_of(events[e].slice) == track && events[e].time.begin <= change.time; ++e)
        open.push_back(static_cast<std::uint32_t>(e));
      std::erase_if(open, [&](std::uint32_t each) { return events[each].time.end < change.time; });
      const auto owner =
          std::find_if(open.rbegin(), open.rend(), [&](std::uint32_t each) { return counts(events[each]); });
      if (owner != open.rend()) owners[order[i]] = *owner;
    }
  }
  return owners;
}

}  // namespace warpscope::analysis
