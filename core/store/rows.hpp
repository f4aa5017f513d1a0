#pragma once
// Rows of slices in store order: for each lane, its slices and, if the lane is folded, their union; then the busy time
// of each device. All rows have times. Rows of lanes also have labels and offsets. All rows except the slices of folded
// lanes have busy time sums.
#include <cstdint>
#include <limits>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::store {

struct Row {
  const trace::TimeColumn* time = nullptr;
  const trace::IntervalTree* tree = nullptr;  ///< nullptr for the slices of a folded lane
  const trace::Lane* lane = nullptr;          ///< nullptr for unions and devices
};

[[nodiscard]] inline std::vector<Row> rows_of(const trace::Rank& rank) {
  std::vector<Row> rows;
  for (const trace::Lane& lane : rank.lanes) {
    rows.push_back({&lane.time(), lane.folded() ? nullptr : &lane.tree(), &lane});
    if (lane.folded()) rows.push_back({&lane.tree().time(), &lane.tree(), nullptr});
  }
  for (const trace::Device& device : rank.devices)
    rows.push_back({&device.busy.get().time(), &device.busy.get(), nullptr});
  return rows;
}

/// Returns the number of a tree's family sums that are stored: all but the last, which is the remainder of the total;
/// all of them if the sums were clamped to the range of Ns because of implausible durations; 0 if there is only one
/// family.
[[nodiscard]] inline std::size_t family_columns(const trace::IntervalTree& tree) {
  if (tree.single_family()) return 0;
  const std::size_t slots = tree.family_sums_before_block(0).size();
  const bool clamped = tree.busy_before_block(tree.time().blocks()) == std::numeric_limits<Ns>::max();
  return clamped ? slots : slots - 1;
}

[[nodiscard]] constexpr std::uint32_t blocks_of(std::uint32_t slices) { return trace::TimeColumn::blocks_for(slices); }

/// Returns the number of slices in `near` blocks of a row with `size` slices. The last block of the row must be one of
/// them.
[[nodiscard]] constexpr std::uint32_t slices_near(std::uint32_t near, std::uint32_t size) {
  return near == 0 ? 0 : size - (blocks_of(size) - near) * trace::TimeColumn::kBlock;
}

}  // namespace warpscope::store
