#pragma once
// Slices of one thread or stream while their file is being read: 24 bytes each, in file order. These slices account for
// half of a load's peak memory while lanes are built, so fields that are rarely large have few bits, and larger values
// are stored in a side table.
//
// Slices are stored in segments, not in one growing array, so growth copies nothing, and each segment is freed once all
// its slices have been used to build lanes. The first segments are small and double in size, because a file may have
// many short tracks; later segments are one huge page each.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/large_memory.hpp"
#include "core/base/time.hpp"
#include "core/trace/category.hpp"

namespace warpscope::ingest {

/// Marks a number that does not fit in 32 bits and is stored in the side table.
inline constexpr std::uint32_t kElsewhere = 0xFFFFFFFFu;

/// Numbers that do not fit in 32 bits, by slice index; the last entry for a slice wins.
using SparseNumbers = std::vector<std::pair<std::uint32_t, std::int64_t>>;

/// Returns the number stored for slice `index`, which must have an entry. `numbers` must be sorted. O(log n).
[[nodiscard]] inline std::int64_t number_at(const SparseNumbers& numbers, std::uint32_t index) {
  return std::ranges::lower_bound(numbers, index, {}, &SparseNumbers::value_type::first)->second;
}

class PendingSlice {
 public:
  static constexpr std::uint8_t kDamaged = 1;      ///< impossible regardless of other slices
  static constexpr std::uint8_t kInstant = 2;      ///< a mark, not a slice
  static constexpr std::uint8_t kIncomplete = 4;   ///< a start without an end, or an asynchronous range; not counted
  static constexpr std::uint8_t kMoves = 8;        ///< the byte count is in the side table
  static constexpr std::uint8_t kCollective = 16;  ///< a kernel with collective arguments

  /// Maximum number of names in a file, limited by the bits available.
  static constexpr std::uint32_t kMostNames = 1u << 26;
  /// Marks a distance that does not fit; start and duration are then in side tables.
  static constexpr Ns kFar = -(Ns{1} << 47);

  std::uint32_t duration = 0;     ///< ns, or kElsewhere
  std::uint32_t correlation = 0;  ///< 0: none; the id plus one, or kElsewhere

  PendingSlice() = default;
  /// `distance`: from the base of the track to the start, in ns; must satisfy fits() or be kFar. `offset`: of the event
  /// in the text, below 2^40. `name`: index into PendingRank::names, below kMostNames.
  PendingSlice(Ns distance, trace::CategoryId category, std::uint64_t offset, std::uint32_t name,
               std::uint8_t flags = 0)
      : name_and_flags_(flags * kMostNames | name),
        offset_low_(static_cast<std::uint32_t>(offset)),
        packed_(static_cast<std::uint64_t>(distance) << 16 | std::uint64_t{category} << 8 | offset >> 32) {}

  [[nodiscard]] static bool fits(Ns distance) {
    return static_cast<std::uint64_t>(distance) - static_cast<std::uint64_t>(kFar + 1) <=
           2 * ~static_cast<std::uint64_t>(kFar);
  }
  [[nodiscard]] Ns distance() const { return static_cast<Ns>(packed_) >> 16; }
  [[nodiscard]] trace::CategoryId category() const { return static_cast<trace::CategoryId>(packed_ >> 8); }
  [[nodiscard]] std::uint64_t offset() const { return offset_low_ | (packed_ & 0xFF) << 32; }
  [[nodiscard]] std::uint32_t name() const { return name_and_flags_ % kMostNames; }
  /// Returns true if any of these flags is set.
  [[nodiscard]] bool has(std::uint8_t flags) const { return (name_and_flags_ & flags * kMostNames) != 0; }
  void add_flag(std::uint8_t flag) { name_and_flags_ |= flag * kMostNames; }
  /// Returns false for marks, for ranges without an end, and for asynchronous ranges.
  [[nodiscard]] bool counts() const { return !has(kInstant | kIncomplete); }

 private:
  std::uint32_t name_and_flags_ = 0;  // 26 bits of name and 6 of flags
  std::uint32_t offset_low_ = 0;
  std::uint64_t packed_ = 0;  // from the top: 48 bits of distance, the category, the offset's upper byte
};
static_assert(sizeof(PendingSlice) == 24);

class PendingSlices {
 public:
  static constexpr std::uint32_t kFirst = 4;
  static constexpr std::uint32_t kSmall = 65536;  ///< total slices in the doubling segments
  static constexpr std::uint32_t kLarge = kHugePage / sizeof(PendingSlice);

 private:
  struct Segment {
    PendingSlice* slices = nullptr;         // points into `small` or `large`
    std::unique_ptr<PendingSlice[]> small;  // from the heap
    LargeMemory large;                      // a separate huge page
    std::uint32_t capacity = 0;
    std::uint32_t left = 0;  // not taken yet
  };
  struct Place {
    std::uint32_t segment;
    std::uint32_t at;
  };

  // Returns the segment and the position of slice `i`. Segment 0 contains slices [0, kFirst); up to kSmall, segment k
  // contains slices [kFirst << (k - 1), kFirst << k).
  [[nodiscard]] static Place place_of(std::uint32_t i) {
    if (i >= kSmall) {
      const std::uint32_t large = (i - kSmall) / kLarge;
      return {kSmallSegments + large, i - kSmall - large * kLarge};
    }
    if (i < kFirst) return {0, i};
    const auto segment = static_cast<std::uint32_t>(std::bit_width(i / kFirst));
    return {segment, i - (kFirst << (segment - 1))};
  }
  static constexpr std::uint32_t kSmallSegments = std::bit_width(kSmall / kFirst);

 public:
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  void push_back(const PendingSlice& slice) {
    if (next_ == end_) [[unlikely]]
      grow();
    std::construct_at(next_++, slice);
    ++size_;
  }
  [[nodiscard]] PendingSlice& operator[](std::uint32_t i) {
    const Place place = place_of(i);
    return segments_[place.segment].slices[place.at];
  }
  [[nodiscard]] const PendingSlice& operator[](std::uint32_t i) const {
    const Place place = place_of(i);
    return segments_[place.segment].slices[place.at];
  }
  /// Calls visit(slice) for each slice, in order.
  template <class Visit>
  void for_each(Visit visit) {
    std::uint32_t left = size_;
    for (Segment& segment : segments_) {
      const std::uint32_t count = left < segment.capacity ? left : segment.capacity;
      for (PendingSlice& slice : std::span(segment.slices, count)) visit(slice);
      left -= count;
    }
  }

  /// Reads slices in roughly ascending order; looks up the segment only when it changes.
  class Cursor {
   public:
    explicit Cursor(const PendingSlices& slices) : slices_(slices) {}
    [[nodiscard]] const PendingSlice& operator()(std::uint32_t i) {
      if (i - first_ >= count_) move(i);
      return at_[i - first_];
    }

   private:
    void move(std::uint32_t i) {
      const Place place = place_of(i);
      const Segment& segment = slices_.segments_[place.segment];
      first_ = i - place.at;
      count_ = segment.capacity;
      at_ = segment.slices;
    }

    const PendingSlices& slices_;
    const PendingSlice* at_ = nullptr;
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;
  };

  /// After this call, slices can only be taken, once each and in any order. A taken slice is valid until the next one
  /// is taken.
  void begin_taking();
  class Taker {
   public:
    explicit Taker(PendingSlices& slices) : slices_(slices) {}
    Taker(const Taker&) = delete;
    Taker& operator=(const Taker&) = delete;
    ~Taker() { leave(); }
    [[nodiscard]] const PendingSlice& operator()(std::uint32_t i) {
      if (i - first_ >= count_) move(i);
      ++taken_;
      return segment_->slices[i - first_];
    }

   private:
    void move(std::uint32_t i) {
      leave();
      const Place place = place_of(i);
      segment_ = &slices_.segments_[place.segment];
      first_ = i - place.at;
      count_ = segment_->capacity;
    }
    void leave() {
      if (segment_ != nullptr) {
        segment_->left -= taken_;
        if (segment_->left == 0) give_back(*segment_);
      }
      taken_ = 0;
    }

    PendingSlices& slices_;
    Segment* segment_ = nullptr;
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;
    std::uint32_t taken_ = 0;
  };

 private:
  void grow();
  static void give_back(Segment& segment);

  std::vector<Segment> segments_;
  PendingSlice* next_ = nullptr;
  PendingSlice* end_ = nullptr;
  std::uint32_t size_ = 0;
};

}  // namespace warpscope::ingest
