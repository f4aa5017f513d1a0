#pragma once
// Finds slices that cannot be true, before lanes are made: they are kept and shown in rows of their own, and count
// neither for the span nor for utilisation. A handful of them would otherwise be most of a report (7 in 55 000 were
// once 62 %).
//
// What is possible follows from the whole file, so it takes two looks at the slices: when they begin, track by track;
// then, with that put together, each slice by itself.
#include <array>
#include <cstddef>
#include <limits>

#include "core/ingest/pending_rank.hpp"

namespace warpscope::ingest {

/// No slice of a profiler's window lasts longer (the limit HTA documents): 7 days.
inline constexpr Ns kLongestDuration = Ns{7} * 24 * 3600 * 1'000'000'000;
/// A slice at time 0 is impossible if nothing else begins within this of it.
inline constexpr Ns kZeroBeginGap = Ns{60} * 1'000'000'000;

/// When slices begin that are not damaged.
struct Begins {
  Ns first_after_zero = std::numeric_limits<Ns>::max();  ///< the earliest that is not 0 or before
  Ns last = std::numeric_limits<Ns>::min();

  void add(const PendingSlice& slice) {
    const Ns begin = slice.begin();
    if ((slice.flags & PendingSlice::kDamaged) != 0 || begin <= 0) return;
    first_after_zero = begin < first_after_zero ? begin : first_after_zero;
    last = begin > last ? begin : last;
  }
  void add(const Begins& other) {
    first_after_zero = other.first_after_zero < first_after_zero ? other.first_after_zero : first_after_zero;
    last = other.last > last ? other.last : last;
  }
};

enum class Damage : std::uint8_t { negative_duration, absurd_duration, begins_at_zero, run_without_duration };

/// What slices of a file can be. Times are without the file's base.
struct Possible {
  Ns longest = 0;
  bool begins_elsewhere = false;

  explicit Possible(const Begins& begins);
  [[nodiscard]] bool holds(Ns begin, Ns duration) const {
    return duration >= 0 && duration <= longest && (begin > 0 || !begins_elsewhere);
  }
  /// Of a slice for which it does not hold.
  [[nodiscard]] Damage why_not(Ns duration) const {
    if (duration < 0) return Damage::negative_duration;
    return duration > longest ? Damage::absurd_duration : Damage::begins_at_zero;
  }
};

/// How often, and the first case in the file.
class DamageReport {
 public:
  void add(Damage damage, const PendingSlice& slice, Ns duration);
  void add(const DamageReport& other);
  /// Kernels, copies and sets of no length are not impossible: in traces of whole microseconds short ones are rounded
  /// so. They are told all the same.
  void write(Diagnostics& diagnostics, const std::string& file, const Interner& names) const;

 private:
  struct Case {
    std::uint64_t count = 0;
    std::uint64_t offset = 0;
    Ns begin = 0;
    Ns duration = 0;
    std::uint32_t name = 0;
  };
  std::array<Case, 4> cases_{};
};

}  // namespace warpscope::ingest
