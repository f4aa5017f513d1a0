#pragma once
// The slices of one thread or stream while their file is read: 28 bytes each, in the order of the file.
//
// They lie in segments, never in one growing array: nothing is copied when more come, and while the lanes are built
// from them, each segment is given back as soon as its last slice has been taken. The first segments are small and
// double, for a file may have very many short tracks; from then on each is one huge page.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

class PendingSlice {
 public:
  static constexpr std::uint8_t kDamaged = 1;      ///< impossible whatever the others look like
  static constexpr std::uint8_t kInstant = 2;      ///< a mark, not a slice
  static constexpr std::uint8_t kIncomplete = 4;   ///< a begin without an end, or an asynchronous range: not counted
  static constexpr std::uint8_t kMoves = 8;        ///< how many bytes stands in a table beside the slices
  static constexpr std::uint8_t kCollective = 16;  ///< a kernel whose arguments are those of a collective

  std::uint32_t duration = 0;     ///< ns, or kElsewhere
  std::uint32_t name = 0;         ///< in PendingRank::names
  std::uint32_t correlation = 0;  ///< 0: none; the id plus one, or kElsewhere
  trace::CategoryId category = 0;
  std::uint8_t flags = 0;

  [[nodiscard]] Ns begin() const { return static_cast<Ns>(begin_low_ | std::uint64_t{begin_high_} << 32); }
  void set_begin(Ns begin) {
    begin_low_ = static_cast<std::uint32_t>(static_cast<std::uint64_t>(begin));
    begin_high_ = static_cast<std::uint32_t>(static_cast<std::uint64_t>(begin) >> 32);
  }
  [[nodiscard]] std::uint64_t offset() const { return offset_low_ | std::uint64_t{offset_high_} << 32; }
  /// Below 2^40.
  void set_offset(std::uint64_t offset) {
    offset_low_ = static_cast<std::uint32_t>(offset);
    offset_high_ = static_cast<std::uint8_t>(offset >> 32);
  }
  /// A slice that ended, no mark.
  [[nodiscard]] bool counts() const { return (flags & (kInstant | kIncomplete)) == 0; }

 private:
  std::uint8_t offset_high_ = 0;
  std::uint32_t offset_low_ = 0;
  std::uint32_t begin_low_ = 0;  // two halves: with one of eight bytes the whole would have 32
  std::uint32_t begin_high_ = 0;
};
static_assert(sizeof(PendingSlice) == 28);

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

  void push_back(const PendingSlice& slice) { add(slice); }
  /// Appends and returns the copy.
  PendingSlice& add(const PendingSlice& slice) {
    if (next_ == end_) [[unlikely]]
      grow();
    std::memcpy(static_cast<void*>(next_), &slice, sizeof slice);
    ++size_;
    return *next_++;
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
