#include "core/trace/connections.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace warpscope::trace {

Connections::Connections(std::vector<Connection> pairs) : pairs_(std::move(pairs)) {
  std::sort(pairs_.begin(), pairs_.end(),
            [](const Connection& a, const Connection& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  pairs_.shrink_to_fit();
  by_to_.resize(pairs_.size());
  std::iota(by_to_.begin(), by_to_.end(), 0u);
  std::sort(by_to_.begin(), by_to_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(pairs_[a].to, pairs_[a].from) < std::pair(pairs_[b].to, pairs_[b].from);
  });
}

std::span<const Connection> Connections::caused_by(SliceOrdinal from) const {
  const auto first = std::lower_bound(pairs_.begin(), pairs_.end(), from,
                                      [](const Connection& pair, SliceOrdinal key) { return pair.from < key; });
  auto last = first;
  while (last != pairs_.end() && last->from == from) ++last;
  return {first, last};
}

const Connection* Connections::cause_of(SliceOrdinal to) const {
  const auto found = std::lower_bound(by_to_.begin(), by_to_.end(), to,
                                      [&](std::uint32_t i, SliceOrdinal key) { return pairs_[i].to < key; });
  return found != by_to_.end() && pairs_[*found].to == to ? &pairs_[*found] : nullptr;
}

std::size_t Connections::causes() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    if (i == 0 || pairs_[i].from != pairs_[i - 1].from) ++count;
  return count;
}

std::size_t Connections::resident_bytes() const {
  return pairs_.capacity() * sizeof(Connection) + by_to_.capacity() * sizeof(std::uint32_t);
}

}  // namespace warpscope::trace
