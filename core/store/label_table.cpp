#include "core/store/label_table.hpp"

#include <algorithm>
#include <utility>

namespace warpscope::store {

std::uint64_t LabelTable::key_of(const trace::Lane& lane, std::uint32_t i) {
  const auto family = lane.folded() ? 0u : static_cast<unsigned>(lane.tree().family(i));
  return static_cast<std::uint64_t>(lane.name(i)) << 16 | static_cast<std::uint64_t>(lane.category(i)) << 8 | family;
}

LabelTable::LabelTable(std::span<const trace::Lane> lanes) {
  std::unordered_map<std::uint64_t, std::uint64_t> counts;
  for (const trace::Lane& lane : lanes)
    for (std::uint32_t i = 0; i < lane.size(); ++i) ++counts[key_of(lane, i)];
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order(counts.begin(), counts.end());
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return std::pair(b.second, a.first) < std::pair(a.second, b.first); });
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
