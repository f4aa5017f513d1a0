#pragma once
// Pairs of slices of one rank that caused each other: launch → run, forward → backward. Kept in the order of the
// causes, with an index in the order of the effects: 12 bytes a pair, both directions in O(log n). One launch may have
// many runs (a CUDA graph), a run has at most one launch. The pairs of a store come in when they are first asked.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/lazy.hpp"

namespace warpscope::trace {

/// A slice of a rank: its lane's first ordinal plus its index in the lane (see Rank::locate).
using SliceOrdinal = std::uint32_t;

struct Connection {
  SliceOrdinal from = 0;  ///< launch, forward
  SliceOrdinal to = 0;    ///< run, backward

  friend bool operator==(const Connection&, const Connection&) = default;
};

class Connections {
  struct Sorted {
    std::vector<Connection> pairs;
    std::vector<std::uint32_t> by_to;  // indices into pairs, ordered by .to
  };

 public:
  /// Brings the pairs, or nothing if they cannot be had. Called once, from any thread.
  using Load = std::function<std::optional<std::vector<Connection>>()>;

  Connections() = default;
  /// O(n): by counting, not by comparing.
  explicit Connections(std::vector<Connection> pairs);
  /// `size` pairs that `load` brings. If it brings nothing, there are none for whoever asks.
  Connections(std::size_t size, Load load);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// All pairs, ordered by (from, to).
  [[nodiscard]] std::span<const Connection> all() const { return sorted().pairs; }
  /// The pairs that `from` caused, ordered by `to`. O(log n).
  [[nodiscard]] std::span<const Connection> caused_by(SliceOrdinal from) const;
  /// The pair that ends at `to`, or nullptr. O(log n).
  [[nodiscard]] const Connection* cause_of(SliceOrdinal to) const;
  /// cause_of() for slices in ascending order. O(log n) for the first, mostly O(1) for the others.
  class Causes {
   public:
    explicit Causes(const Connections& connections) : sorted_(connections.sorted()) {}
    [[nodiscard]] const Connection* of(SliceOrdinal to);

   private:
    const Sorted& sorted_;
    std::size_t at_ = 0;  // in by_to: none before it ends at or behind the slice that was asked for last
  };

  /// How many distinct slices caused something.
  [[nodiscard]] std::size_t causes() const;
  /// Of what is in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Of all pairs, brought in or not.
  [[nodiscard]] std::size_t whole_bytes() const { return size_ * (sizeof(Connection) + sizeof(std::uint32_t)); }

 private:
  [[nodiscard]] static Sorted sort(std::vector<Connection> pairs);
  [[nodiscard]] const Sorted& sorted() const {
    return sorted_.get([this] { return bring(); });
  }
  [[nodiscard]] Sorted bring() const;

  Lazy<Sorted> sorted_;
  std::size_t size_ = 0;
  Load load_;
};

}  // namespace warpscope::trace
