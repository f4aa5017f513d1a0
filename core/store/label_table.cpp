#include "core/store/label_table.hpp"

#include <algorithm>
#include <utility>

namespace warpscope::store {

std::uint64_t LabelTable::key_of(const trace::Lane& lane, std::uint32_t i) {
  const auto family = lane.folded() ? 0u : static_cast<unsigned>(lane.tree().family(i));
  return static_cast<std::uint64_t>(lane.name(i)) << 16 | static_cast<std::uint64_t>(lane.category(i)) << 8 | family;
}

LabelTable::LabelTable(std::span<const trace::Lane> lanes) {
  struct Found {
    std::uint64_t key = 0;
    std::uint64_t count = 0;
  };
  std::unordered_map<std::uint64_t, std::size_t> places;
  std::vector<Found> order;
  for (const trace::Lane& lane : lanes)
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      const std::uint64_t key = key_of(lane, i);
      const auto [place, fresh] = places.try_emplace(key, order.size());
      if (fresh) order.push_back({key, 0});
      ++order[place->second].count;
    }
  // Ties keep the order of first appearance, not of ids: ids depend on what was loaded before, and the contents of a
  // store must not.
  std::stable_sort(order.begin(), order.end(), [](const Found& a, const Found& b) { return a.count > b.count; });
  for (const auto& [key, count] : order) {
    numbers_.emplace(key, static_cast<std::uint32_t>(labels_.size()));
    labels_.push_back(
        {static_cast<NameId>(key >> 16), static_cast<trace::CategoryId>(key >> 8), static_cast<std::uint8_t>(key)});
  }
}

std::uint32_t LabelTable::number(const trace::Lane& lane, std::uint32_t i) const {
  return numbers_.find(key_of(lane, i))->second;
}

}  // namespace warpscope::store
