#pragma once
// The slices of one thread or stream while their file is read: 24 bytes each, in the order of the file. While lanes are
// built these are half of a load's peak memory, so numbers that are rarely large have few bits, and stand in a table
// beside the slices where those do not suffice.
//
// They lie in segments, never in one growing array: nothing is copied when more come, and while the lanes are built
// from them, each segment is given back as soon as its last slice has been taken. The first segments are small and
// double, for a file may have very many short tracks; from then on each is one huge page.
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

/// In place of a number that does not fit 32 bits: it stands in a table beside the slices.
inline constexpr std::uint32_t kElsewhere = 0xFFFFFFFFu;

/// Such numbers by the index of their slice; of several for one slice the last holds.
using SparseNumbers = std::vector<std::pair<std::uint32_t, std::int64_t>>;

/// The number of the slice `index`, which has one. `numbers` are sorted. O(log n).
[[nodiscard]] inline std::int64_t number_at(const SparseNumbers& numbers, std::uint32_t index) {
  return std::lower_bound(numbers.begin(), numbers.end(), index,
                          [](const auto& entry, std::uint32_t key) { return entry.first < key; })
      ->second;
}

class PendingSlice {
 public:
  static constexpr std::uint8_t kDamaged = 1;      ///< impossible whatever the others look like
  static constexpr std::uint8_t kInstant = 2;      ///< a mark, not a slice
  static constexpr std::uint8_t kIncomplete = 4;   ///< a begin without an end, or an asynchronous range: not counted
  static constexpr std::uint8_t kMoves = 8;        ///< how many bytes stands in a table beside the slices
  static constexpr std::uint8_t kCollective = 16;  ///< a kernel whose arguments are those of a collective

  /// Names that a file may have: as many as fit.
  static constexpr std::uint32_t kMostNames = 1u << 26;
  /// In place of a distance that does not fit: the start stands in a table beside the slices, and so does the duration.
  static constexpr Ns kFar = -(Ns{1} << 47);

  std::uint32_t duration = 0;     ///< ns, or kElsewhere
  std::uint32_t correlation = 0;  ///< 0: none; the id plus one, or kElsewhere

  PendingSlice() = default;
  /// `distance` from the base of the track to the start, in ns: fits(), or is kFar. `offset` of the event in the text:
  /// below 2^40. `name`: in PendingRank::names, below kMostNames.
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
  /// True if it has any of these flags.
  [[nodiscard]] bool has(std::uint8_t flags) const { return (name_and_flags_ & flags * kMostNames) != 0; }
  void add_flag(std::uint8_t flag) { name_and_flags_ |= flag * kMostNames; }
  /// A slice that ended, no mark.
  [[nodiscard]] bool counts() const { return !has(kInstant | kIncomplete); }

 private:
  std::uint32_t name_and_flags_ = 0;  // 26 bits and six
  std::uint32_t offset_low_ = 0;
  std::uint64_t packed_ = 0;  // from the top: 48 bits of distance, the category, the offset's upper byte
};
static_assert(sizeof(PendingSlice) == 24);

class PendingSlices {
 public:
  static constexpr std::uint32_t kFirst = 4;
  static constexpr std::uint32_t kSmall = 65536;  ///< slices in the segments that double, all together
  static constexpr std::uint32_t kLarge = kHugePage / sizeof(PendingSlice);

 private:
  struct Segment {
    PendingSlice* slices = nullptr;         // in one of the two:
    std::unique_ptr<PendingSlice[]> small;  // from the heap
    LargeMemory large;                      // of its own
    std::uint32_t capacity = 0;
    std::uint32_t left = 0;  // not taken
  };
  struct Place {
    std::uint32_t segment;
    std::uint32_t at;
  };

  // Segment 0 holds [0, kFirst), segment k up to kSmall the slices [kFirst << (k - 1), kFirst << k).
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
  /// Calls visit(slice) for each in order.
  template <class Visit>
  void for_each(Visit visit) {
    std::uint32_t left = size_;
    for (Segment& segment : segments_) {
      const std::uint32_t count = left < segment.capacity ? left : segment.capacity;
      for (PendingSlice& slice : std::span(segment.slices, count)) visit(slice);
      left -= count;
    }
  }

  /// Looks at slices in nearly their order: finds the segment anew only when it changes.
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

  /// From here on slices are only taken, each of them once, in any order. What was taken lasts until the next is.
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
