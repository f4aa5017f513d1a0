#pragma once
// When slices begin and how long they last, at 8.5 bytes a slice instead of 16.
//
// Slices stand in the order of their begin. Begins are kept as 32-bit distances from a 64-bit base per block of 16;
// durations as 32 bits. What does not fit (a block that spans over 4.29 s, a duration that long, or a negative one from
// damaged input) goes to a small sorted table of escapes. The bases double as the first level of every search: finding
// a time is a binary search in n/16 bases and a look through one block.
//
// The bases are always there; begins and durations may be brought in when they are first looked at. Some blocks can be
// at hand before that: those at the ends and across gaps, which a picture of the whole lane looks into.
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
  /// Stands for a value that is among the escapes.
  static constexpr std::uint32_t kEscape = 0xFFFFFFFFu;
  using Escapes = std::vector<std::pair<std::uint32_t, Ns>>;  ///< (index, value) by index

  /// What a column holds of each slice. `begin_escapes` are distances from the block's base too, modulo 2^64.
  struct Arrays {
    BigVector<std::uint32_t> begins;  ///< distance from the block's base
    BigVector<std::uint32_t> durations;
    Escapes begin_escapes;
    Escapes duration_escapes;
  };
  /// Brings the arrays of a column, or nothing if they cannot be had. Called once, from any thread.
  using Load = std::function<std::optional<Arrays>()>;

  /// The blocks of a column that are at hand: slice k of the n-th of them stands at 16 n + k.
  struct AtHand {
    std::shared_ptr<const BlockSet> blocks;
    Arrays arrays;
  };

  TimeColumn() = default;
  /// A column of arrays that are all there.
  TimeColumn(std::vector<Ns> bases, Arrays arrays);
  /// A column of `size` slices whose arrays `load` brings. If it brings nothing (or not `size` of each), every slice
  /// stands at its block's base and has no length.
  TimeColumn(std::vector<Ns> bases, std::uint32_t size, AtHand at_hand, Load load);
  TimeColumn(TimeColumn&& other) noexcept { *this = std::move(other); }
  TimeColumn& operator=(TimeColumn&& other) noexcept;

  void reserve(std::size_t count);
  /// Appends a slice. `begin` must not be less than that of the last one.
  void push_back(Ns begin, Ns duration);
  /// Gives back what reserve() or growth left over.
  void shrink();

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(bases_.size()); }

  /// ns; O(1), O(log escapes) for an escaped value.
  [[nodiscard]] Ns begin(std::uint32_t i) const {
    const std::uint32_t* begins = begins_.load(std::memory_order_acquire);
    if (begins == nullptr) [[unlikely]]
      return absent_begin(i);
    const std::uint32_t distance = begins[i];
    if (distance == kEscape) [[unlikely]]
      return from_base(i, escaped(arrays_.ready()->begin_escapes, i));
    return from_base(i, distance);
  }
  /// As recorded, in ns; may be negative or absurd.
  [[nodiscard]] Ns duration(std::uint32_t i) const {
    const std::uint32_t* durations = durations_.load(std::memory_order_acquire);
    if (durations == nullptr) [[unlikely]]
      return absent_duration(i);
    const std::uint32_t value = durations[i];
    if (value == kEscape) [[unlikely]]
      return escaped(arrays_.ready()->duration_escapes, i);
    return value;
  }
  /// begin + duration, never before begin, clamped to the range of Ns.
  [[nodiscard]] Ns end(std::uint32_t i) const {
    const Ns length = duration(i);
    return length > 0 ? saturating_add(begin(i), length) : begin(i);
  }
  [[nodiscard]] Ns block_begin(std::uint32_t block) const { return bases_[block]; }

  /// The slices of one block, for loops over them: slice k of it is 16 * block + k of the column.
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

  /// First index whose begin is not before t; size() if none. O(log n).
  [[nodiscard]] std::uint32_t lower_bound(Ns t) const;
  /// The same, given that the answer is not before `from`; O(log distance): for walks from left to right.
  [[nodiscard]] std::uint32_t lower_bound_from(std::uint32_t from, Ns t) const;
  /// First block at or after `from` whose base is not before t; blocks() if none. O(log distance).
  [[nodiscard]] std::uint32_t block_lower_bound_from(std::uint32_t from, Ns t) const;

  /// Moves every begin by `delta` ns, within the range of Ns: for a time base that a file names after its events.
  /// Brings in nothing unless a time leaves the range.
  void shift(Ns delta);

  /// Everything of the column as it is kept, brought in if need be: for those who write it down.
  [[nodiscard]] const Arrays& arrays() const;
  [[nodiscard]] const std::vector<Ns>& bases() const { return bases_; }
  /// True if nothing has to be brought in any more.
  [[nodiscard]] bool present() const { return size_ == 0 || arrays_.ready() != nullptr; }
  /// Of what is in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Of the column when all of it is there: the same wherever it came from. Without the escapes, which are few and of
  /// which nobody knows how many before they are brought in.
  [[nodiscard]] std::size_t whole_bytes() const {
    return bases_.size() * sizeof(Ns) + std::size_t{size_} * 2 * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] static Ns escaped(const Escapes& escapes, std::uint32_t i);
  // Modulo 2^64: a damaged store may hold anything.
  [[nodiscard]] Ns from_base(std::uint32_t i, Ns distance) const {
    return static_cast<Ns>(static_cast<std::uint64_t>(bases_[i / kBlock]) + static_cast<std::uint64_t>(distance));
  }
  [[nodiscard]] Ns absent_begin(std::uint32_t i) const;
  [[nodiscard]] Ns absent_duration(std::uint32_t i) const;
  [[nodiscard]] Block absent_block(std::uint32_t block) const;
  [[nodiscard]] Arrays load() const;
  [[nodiscard]] std::uint32_t within_block(std::uint32_t block, Ns t) const;
  void point_at_arrays(const Arrays& arrays) const;

  std::vector<Ns> bases_;  // begin of the first slice of each block
  std::uint32_t size_ = 0;
  Lazy<Arrays> arrays_;
  mutable std::atomic<const std::uint32_t*> begins_{nullptr};  // in arrays_, once they are there
  mutable std::atomic<const std::uint32_t*> durations_{nullptr};
  AtHand at_hand_;
  Load load_;
};

}  // namespace warpscope::trace
