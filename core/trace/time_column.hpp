#pragma once
// When slices begin and how long they last, at 8.5 bytes a slice instead of 16.
//
// Slices stand in the order of their begin. Begins are kept as 32-bit distances from a 64-bit base per block of 16;
// durations as 32 bits. What does not fit (a block that spans over 4.29 s, a duration that long, or a negative one from
// damaged input) goes to a small sorted table of escapes. The bases double as the first level of every search: finding
// a time is a binary search in n/16 bases and a look through one block.
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

class TimeColumn {
 public:
  static constexpr std::uint32_t kBlock = 16;

  void reserve(std::size_t count);
  /// Appends a slice. `begin` must not be less than that of the last one.
  void push_back(Ns begin, Ns duration);
  /// Gives back what reserve() or growth left over.
  void shrink();

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(begins_.size()); }
  [[nodiscard]] bool empty() const { return begins_.empty(); }
  [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(bases_.size()); }

  /// ns; O(1), O(log escapes) for an escaped value.
  [[nodiscard]] Ns begin(std::uint32_t i) const {
    const std::uint32_t delta = begins_[i];
    if (delta == kEscape) [[unlikely]]
      return escaped(begin_escapes_, i);
    return bases_[i / kBlock] + delta;
  }
  /// As recorded, in ns; may be negative or absurd.
  [[nodiscard]] Ns duration(std::uint32_t i) const {
    const std::uint32_t value = durations_[i];
    if (value == kEscape) [[unlikely]]
      return escaped(duration_escapes_, i);
    return value;
  }
  /// begin + duration, never before begin, clamped to the range of Ns.
  [[nodiscard]] Ns end(std::uint32_t i) const {
    const Ns length = duration(i);
    return length > 0 ? saturating_add(begin(i), length) : begin(i);
  }
  [[nodiscard]] Ns block_begin(std::uint32_t block) const { return bases_[block]; }

  /// First index whose begin is not before t; size() if none. O(log n).
  [[nodiscard]] std::uint32_t lower_bound(Ns t) const;
  /// The same, given that the answer is not before `from`; O(log distance): for walks from left to right.
  [[nodiscard]] std::uint32_t lower_bound_from(std::uint32_t from, Ns t) const;
  /// First block at or after `from` whose base is not before t; blocks() if none. O(log distance).
  [[nodiscard]] std::uint32_t block_lower_bound_from(std::uint32_t from, Ns t) const;

  /// Moves every begin by `delta` ns: for a time base that a file names after its events.
  void shift(Ns delta);

  [[nodiscard]] std::size_t resident_bytes() const;

 private:
  static constexpr std::uint32_t kEscape = 0xFFFFFFFFu;
  using Escapes = std::vector<std::pair<std::uint32_t, Ns>>;  // sorted by index

  [[nodiscard]] static Ns escaped(const Escapes& escapes, std::uint32_t i);
  [[nodiscard]] std::uint32_t within_block(std::uint32_t block, Ns t) const;

  std::vector<Ns> bases_;              // begin of the first slice of each block
  std::vector<std::uint32_t> begins_;  // distance from the block's base
  std::vector<std::uint32_t> durations_;
  Escapes begin_escapes_;
  Escapes duration_escapes_;
};

}  // namespace warpscope::trace
