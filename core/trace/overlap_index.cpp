#include "core/trace/overlap_index.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace warpscope::trace {

OverlapIndex::OverlapIndex(const TimeColumn& time) {
  // With a power-of-two number of leaves, index arithmetic yields the next leaf.
  leaves_ = time.blocks() == 0 ? 0 : std::bit_ceil(time.blocks());
  latest_.assign(2 * static_cast<std::size_t>(leaves_), std::numeric_limits<Ns>::min());
  for (std::uint32_t i = 0; i < time.size(); ++i) {
    Ns& latest = latest_[leaves_ + i / TimeColumn::kBlock];
    latest = std::max(latest, time.end(i));
  }
  for (std::uint32_t node = leaves_; node-- > 1;) latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]);
}

std::uint32_t OverlapIndex::next_block(std::uint32_t block, Ns a) const {
  if (block >= leaves_) return leaves_;
  std::uint32_t node = leaves_ + block;
  while (latest_[node] < a) {
    // Climb until there is a right neighbor, then continue there.
    while (node & 1u) node /= 2;
    if (node == 0) return leaves_;
    ++node;
  }
  while (node < leaves_) {
    node *= 2;
    if (latest_[node] < a) ++node;
  }
  return node - leaves_;
}

}  // namespace warpscope::trace
