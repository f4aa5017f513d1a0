#pragma once
// Causal pairs of slices in one rank: launch → GPU activity, forward → backward, dependencies in CUDA graphs. Sorted by
// cause, with an index sorted by effect: 12 bytes per pair, and O(log n) lookups in both directions. One launch may
// cause several activities (CUDA graphs); each activity has at most one launch. Pairs in a store are loaded on first
// use; threads that must not load them (ResidentOnly) see no pairs.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/lazy.hpp"

namespace warpscope::trace {

/// Index of a slice in its rank: its lane's first ordinal plus its index in the lane (see Rank::locate).
using SliceOrdinal = std::uint32_t;

struct Connection {
  SliceOrdinal from = 0;  ///< launch, forward, predecessor
  SliceOrdinal to = 0;    ///< GPU activity, backward, successor

  friend bool operator==(const Connection&, const Connection&) = default;
};

class Connections {
  struct Sorted {
    std::vector<Connection> pairs;
    std::vector<std::uint32_t> by_to;  // indices into pairs, sorted by .to
  };

 public:
  /// Loads the pairs; nullopt on failure. Called once, from any thread; may outlive the connections.
  using Load = std::function<std::optional<std::vector<Connection>>()>;

  Connections() = default;
  /// O(n): radix sort.
  explicit Connections(std::vector<Connection> pairs);
  /// Holds `size` pairs, which `load` loads on first use. Empty if loading fails.
  Connections(std::size_t size, Load load);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns all pairs, sorted by (from, to).
  [[nodiscard]] std::span<const Connection> all() const { return sorted().pairs; }
  /// Returns the pairs caused by `from`, sorted by `to`. O(log n).
  [[nodiscard]] std::span<const Connection> caused_by(SliceOrdinal from) const;
  /// Returns the pair that ends at `to`, or nullptr; if there are several, the first. O(log n).
  [[nodiscard]] const Connection* cause_of(SliceOrdinal to) const;
  /// Returns all pairs that end at `to`, sorted by `from`. O(log n + k).
  [[nodiscard]] std::vector<Connection> causes_of(SliceOrdinal to) const;
  /// Looks up cause_of() for slices visited in ascending order. O(log n) for the first lookup, usually O(1) for the
  /// rest.
  class Causes {
   public:
    explicit Causes(const Connections& connections) : sorted_(connections.sorted()) {}
    [[nodiscard]] const Connection* of(SliceOrdinal to);

   private:
    const Sorted& sorted_;
    std::size_t at_ = 0;  // in by_to: all pairs before it end before the last queried slice
  };

  /// Returns the number of distinct causes.
  [[nodiscard]] std::size_t causes() const;
  /// Bytes in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Size of all pairs in bytes, loaded or not.
  [[nodiscard]] std::size_t whole_bytes() const { return size_ * (sizeof(Connection) + sizeof(std::uint32_t)); }

 private:
  [[nodiscard]] static Sorted sort(std::vector<Connection> pairs);
  [[nodiscard]] const Sorted& sorted() const {
    if (const Sorted* sorted = sorted_.resident()) [[likely]]
      return *sorted;
    return absent();
  }
  [[nodiscard]] static const Sorted& absent();

  StoredColumn<Sorted> sorted_;
  std::size_t size_ = 0;
};

}  // namespace warpscope::trace
