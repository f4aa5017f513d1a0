#pragma once
// Start times and durations of slices, at 8.5 bytes per slice instead of 16.
//
// Slices are sorted by start. Starts are stored as 32-bit offsets from one 64-bit base per block of 16, and durations
// as 32-bit values. Values that do not fit (starts in a block that spans more than 4.29 s, durations longer than that,
// or negative durations from corrupt input) go into a small sorted escape table. The bases are also the first level of
// every search: finding a time takes a binary search over n/16 bases and a scan of one block.
//
// The bases are always in memory; starts and durations may be loaded on first use. Some blocks can be in memory before
// that: those at both ends and around gaps, which are needed to draw the whole lane. On a thread that must not load
// them (ResidentOnly), the slices of an absent block appear at its base with length 0.
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/big_vector.hpp"
#include "core/base/time.hpp"
#include "core/trace/block_set.hpp"
#include "core/trace/lazy.hpp"

namespace warpscope::trace {

class TimeColumn {
 public:
  static constexpr std::uint32_t kBlock = 16;
  /// Marks a value stored in the escape table.
  static constexpr std::uint32_t kEscape = 0xFFFFFFFFu;
  using Escapes = std::vector<std::pair<std::uint32_t, Ns>>;  ///< (index, value) sorted by index

  /// The start and duration of each slice. `begin_escapes` are also offsets from the block's base, modulo 2^64.
  struct Arrays {
    BigVector<std::uint32_t> begins;  ///< offset from the block's base
    BigVector<std::uint32_t> durations;
    Escapes begin_escapes;
    Escapes duration_escapes;
  };
  /// Loads the arrays of a column; nullopt on failure. Called once, from any thread; may outlive the column.
  using Load = std::function<std::optional<Arrays>()>;

  /// Blocks in memory before the column is loaded: slice k of the nth block is at index 16 n + k.
  struct AtHand {
    std::shared_ptr<const BlockSet> blocks;
    Arrays arrays;
  };

  TimeColumn() = default;
  /// A column in memory.
  TimeColumn(std::vector<Ns> bases, Arrays arrays);
  /// A column of `size` slices, loaded by `load`. If `load` fails or returns arrays of a different size, every slice is
  /// at its block's base with length 0.
  TimeColumn(std::vector<Ns> bases, std::uint32_t size, AtHand at_hand, Load load);
  /// Copies share everything but the bases, so they can be shifted independently.
  TimeColumn(const TimeColumn& other);
  TimeColumn& operator=(const TimeColumn&) = delete;
  TimeColumn(TimeColumn&& other) noexcept { *this = std::move(other); }
  TimeColumn& operator=(TimeColumn&& other) noexcept;

  void reserve(std::size_t count);
  /// Appends a slice. Slices must be appended in order of `begin`.
  void push_back(Ns begin, Ns duration);
  /// Frees unused capacity.
  void shrink();

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(bases_.size()); }

  /// Returns the start in ns. O(1), or O(log escapes) for an escaped value.
  [[nodiscard]] Ns begin(std::uint32_t i) const {
    const std::uint32_t* begins = begins_.load(std::memory_order_acquire);
    if (begins == nullptr) [[unlikely]]
      return absent_begin(i);
    const std::uint32_t distance = begins[i];
    if (distance == kEscape) [[unlikely]]
      return from_base(i, escaped(arrays_.ready()->begin_escapes, i));
    return from_base(i, distance);
  }
  /// Returns the duration as recorded, in ns; may be negative or implausible.
  [[nodiscard]] Ns duration(std::uint32_t i) const {
    const std::uint32_t* durations = durations_.load(std::memory_order_acquire);
    if (durations == nullptr) [[unlikely]]
      return absent_duration(i);
    const std::uint32_t value = durations[i];
    if (value == kEscape) [[unlikely]]
      return escaped(arrays_.ready()->duration_escapes, i);
    return value;
  }
  /// Returns begin + duration in ns, clamped to the range of Ns; never before the start.
  [[nodiscard]] Ns end(std::uint32_t i) const {
    const Ns length = duration(i);
    return length > 0 ? saturating_add(begin(i), length) : begin(i);
  }
  [[nodiscard]] Ns block_begin(std::uint32_t block) const { return bases_[block]; }
  /// True if the block's slices are in memory. Loads them unless ResidentOnly forbids it.
  [[nodiscard]] bool resident(std::uint32_t block) const {
    return begins_.load(std::memory_order_acquire) != nullptr || absent_resident(block);
  }

  /// One block of slices, for use in loops. Slice k of the block is slice 16 * block + k of the column.
  class Block {
   public:
    [[nodiscard]] Ns begin(std::uint32_t k) const {
      const std::uint32_t distance = begins_[k];
      if (distance == kEscape) [[unlikely]]
        return column_.begin(first_ + k);
      return static_cast<Ns>(static_cast<std::uint64_t>(base_) + distance);
    }
    [[nodiscard]] Ns duration(std::uint32_t k) const {
      const std::uint32_t value = durations_[k];
      if (value == kEscape) [[unlikely]]
        return column_.duration(first_ + k);
      return value;
    }

   private:
    friend class TimeColumn;
    Block(const TimeColumn& column, std::uint32_t first, const std::uint32_t* begins, const std::uint32_t* durations)
        : column_(column),
          first_(first),
          base_(column.bases_[first / kBlock]),
          begins_(begins),
          durations_(durations) {}

    const TimeColumn& column_;
    std::uint32_t first_;
    Ns base_;
    const std::uint32_t* begins_;  // of the block's first slice
    const std::uint32_t* durations_;
  };
  [[nodiscard]] Block block(std::uint32_t block) const {
    const std::uint32_t* begins = begins_.load(std::memory_order_acquire);
    const std::uint32_t* durations = durations_.load(std::memory_order_acquire);
    const std::uint32_t first = block * kBlock;
    if (begins == nullptr || durations == nullptr) [[unlikely]]
      return absent_block(block);
    return Block(*this, first, begins + first, durations + first);
  }

  /// Returns the index of the first slice that starts at or after t; size() if none. O(log n).
  [[nodiscard]] std::uint32_t lower_bound(Ns t) const;
  /// Same, if the result is known to be at or after `from`. O(log distance), for scans from left to right.
  [[nodiscard]] std::uint32_t lower_bound_from(std::uint32_t from, Ns t) const;
  /// Returns the first block at or after `from` whose base is at or after t; blocks() if none. O(log distance).
  [[nodiscard]] std::uint32_t block_lower_bound_from(std::uint32_t from, Ns t) const;

  /// Shifts all starts by `delta` ns, clamped to the range of Ns. For files that store the time base after the events.
  /// Does not load the column unless a time would go out of range.
  void shift(Ns delta);

  /// Returns the whole column as stored, loading it if needed even under ResidentOnly. For store writers.
  [[nodiscard]] const Arrays& arrays() const;
  /// Loads the whole column; returns false if ResidentOnly forbids it.
  [[nodiscard]] bool whole_resident() const { return size_ == 0 || resident_arrays() != nullptr; }
  [[nodiscard]] const std::vector<Ns>& bases() const { return bases_; }
  /// True if the whole column is in memory.
  [[nodiscard]] bool present() const { return size_ == 0 || arrays_.ready() != nullptr; }
  /// Bytes in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Size of the whole column in bytes, whether loaded or not. Excludes the escapes, because they are few and their
  /// number is unknown until they are loaded.
  [[nodiscard]] std::size_t whole_bytes() const { return bytes_for(size_); }
  [[nodiscard]] static constexpr std::uint32_t blocks_for(std::uint32_t size) {
    return size / kBlock + (size % kBlock != 0 ? 1 : 0);
  }
  [[nodiscard]] static constexpr std::size_t bytes_for(std::uint32_t size) {
    return blocks_for(size) * sizeof(Ns) + std::size_t{size} * 2 * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] static Ns escaped(const Escapes& escapes, std::uint32_t i);
  // Modulo 2^64: a corrupt store may hold any value.
  [[nodiscard]] Ns from_base(std::uint32_t i, Ns distance) const {
    return static_cast<Ns>(static_cast<std::uint64_t>(bases_[i / kBlock]) + static_cast<std::uint64_t>(distance));
  }
  [[nodiscard]] Ns absent_begin(std::uint32_t i) const;
  [[nodiscard]] Ns absent_duration(std::uint32_t i) const;
  [[nodiscard]] Block absent_block(std::uint32_t block) const;
  [[nodiscard]] bool absent_resident(std::uint32_t block) const;
  struct Near {
    const Arrays* arrays;     ///< null if the thread must not load them
    std::uint32_t block = 0;  ///< index in `arrays`
  };
  [[nodiscard]] Near find(std::uint32_t block) const;
  [[nodiscard]] const Arrays* resident_arrays() const;
  [[nodiscard]] std::uint32_t within_block(std::uint32_t block, Ns t) const;
  void point_at_arrays(const Arrays& arrays) const;

  std::vector<Ns> bases_;  // start of the first slice of each block
  std::uint32_t size_ = 0;
  StoredColumn<Arrays> arrays_;
  mutable std::atomic<const std::uint32_t*> begins_{nullptr};  // in arrays_, once loaded
  mutable std::atomic<const std::uint32_t*> durations_{nullptr};
  AtHand at_hand_;
};

}  // namespace warpscope::trace
