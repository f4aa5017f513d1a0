#pragma once
// Search results in a form that can be drawn as fast as the lanes themselves. The matching slices of a lane do not
// overlap, so they have their own time column and tree. A lane is drawn twice: all slices dimmed, then the matches in
// full color, both in O(pixels · log n) at any zoom level. The search thread builds a Highlight once per search. It
// uses about 15 bytes per match.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::scene {

class Highlight {
 public:
  /// Matching slices of one lane.
  struct LaneHits {
    std::uint32_t rank = 0;
    std::uint32_t lane = 0;
    trace::IntervalTree tree;            ///< of the matches (folded lane: of their union)
    std::vector<std::uint32_t> indices;  ///< lane index of the tree's i-th slice; empty for a folded lane
  };

  Highlight() = default;
  /// `found` lists each matching slice of this profile once, in any order. O(hits · log hits).
  Highlight(const trace::Profile& profile, std::vector<trace::SliceRef> found);

  /// Returns the matches in a lane, or nullptr if there are none. O(log lanes).
  [[nodiscard]] const LaneHits* find(std::uint32_t rank, std::uint32_t lane) const;
  [[nodiscard]] std::span<const LaneHits> lanes() const { return lanes_; }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::vector<LaneHits> lanes_;  // by (rank, lane)
  std::size_t count_ = 0;
};

}  // namespace warpscope::scene
