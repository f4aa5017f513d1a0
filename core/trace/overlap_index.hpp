#pragma once
// Finds the slices that intersect [a, b) in a folded lane, where slices may overlap because the track has more levels
// than lanes. Slices are sorted by start; each node of an implicit binary tree over blocks of 16 slices stores the
// latest end below it (an augmented interval tree, as in Cormen et al., laid out as a bottom-up segment tree). O(log n
// + k log n) worst case.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/trace/time_column.hpp"

namespace warpscope::trace {

class OverlapIndex {
 public:
  OverlapIndex() = default;
  explicit OverlapIndex(const TimeColumn& time);

  /// Calls visit(i) for each slice of `time` that intersects [a, b), in time order. `time` must be the column passed to
  /// the constructor.
  template <class Visit>
  void for_each(const TimeColumn& time, Ns a, Ns b, Visit visit) const {
    const std::uint32_t last = time.lower_bound(b);
    std::uint32_t block = 0;
    while ((block = next_block(block, a)) < leaves_) {
      const std::uint32_t first = block * TimeColumn::kBlock;
      if (first >= last) return;
      const std::uint32_t end = first + TimeColumn::kBlock < last ? first + TimeColumn::kBlock : last;
      for (std::uint32_t i = first; i < end; ++i)
        if (time.end(i) > a || (time.end(i) == time.begin(i) && time.begin(i) >= a)) visit(i);
      ++block;
    }
  }

  [[nodiscard]] std::size_t resident_bytes() const { return latest_.capacity() * sizeof(Ns); }
  /// Size of an index, in bytes.
  [[nodiscard]] static std::size_t bytes_for(std::uint32_t slices) {
    return slices == 0 ? 0 : 2 * std::size_t{std::bit_ceil(TimeColumn::blocks_for(slices))} * sizeof(Ns);
  }

 private:
  /// Returns the first block at or after `block` with a slice ending after a (or a zero-length one at a); leaves_ if
  /// none.
  [[nodiscard]] std::uint32_t next_block(std::uint32_t block, Ns a) const;

  std::vector<Ns> latest_;  // node k over children 2k and 2k+1; leaves at leaves_ + block
  std::uint32_t leaves_ = 0;
};

}  // namespace warpscope::trace
