#pragma once
// What a filter found, in a shape that can be drawn as fast as the lanes themselves: the matching slices of a lane are
// again slices that do not overlap, so they get a time column and a tree of their own. A lane is then drawn twice: all
// of it dimmed, and the found ones over it in full colour, each at any zoom in O(pixels · log n). Built once per
// search, on the thread that searched; about 15 bytes a hit.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::scene {

class Highlight {
 public:
  /// The found slices of one lane.
  struct LaneHits {
    std::uint32_t rank = 0;
    std::uint32_t lane = 0;
    trace::IntervalTree tree;            ///< of the found ones (of a folded lane: of their union)
    std::vector<std::uint32_t> indices;  ///< tree's i-th slice is the lane's indices[i]; empty for a folded lane
  };

  Highlight() = default;
  /// `found`: slices of this profile, each once, in any order. O(hits · log hits).
  Highlight(const trace::Profile& profile, std::vector<trace::SliceRef> found);

  [[nodiscard]] const LaneHits* find(std::uint32_t rank, std::uint32_t lane) const;  ///< nullptr: none. O(log lanes)
  [[nodiscard]] std::span<const LaneHits> lanes() const { return lanes_; }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::vector<LaneHits> lanes_;  // by (rank, lane)
  std::size_t count_ = 0;
};

}  // namespace warpscope::scene
