#pragma once
// Pairs of slices of one rank that caused each other: launch → run, forward → backward. Kept in the order of the
// causes, with an index in the order of the effects: 12 bytes a pair, both directions in O(log n). One launch may have
// many runs (a CUDA graph), a run has at most one launch.
#include <cstdint>
#include <span>
#include <vector>

namespace warpscope::trace {

/// A slice of a rank: its lane's first ordinal plus its index in the lane (see Rank::locate).
using SliceOrdinal = std::uint32_t;

struct Connection {
  SliceOrdinal from = 0;  ///< launch, forward
  SliceOrdinal to = 0;    ///< run, backward

  friend bool operator==(const Connection&, const Connection&) = default;
};

class Connections {
 public:
  Connections() = default;
  explicit Connections(std::vector<Connection> pairs);

  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  /// All pairs, ordered by (from, to).
  [[nodiscard]] std::span<const Connection> all() const { return pairs_; }
  /// The pairs that `from` caused, ordered by `to`. O(log n).
  [[nodiscard]] std::span<const Connection> caused_by(SliceOrdinal from) const;
  /// The pair that ends at `to`, or nullptr. O(log n).
  [[nodiscard]] const Connection* cause_of(SliceOrdinal to) const;
  /// How many distinct slices caused something.
  [[nodiscard]] std::size_t causes() const;
  [[nodiscard]] std::size_t resident_bytes() const;

 private:
  std::vector<Connection> pairs_;
  std::vector<std::uint32_t> by_to_;  // indices into pairs_, ordered by .to
};

}  // namespace warpscope::trace
