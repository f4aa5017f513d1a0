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
#include <vector>

#include "core/ingest/events/pending_rank.hpp"

namespace warpscope::ingest {

/// No slice of a profiler's window lasts longer (the limit HTA documents): 7 days.
inline constexpr Ns kLongestDuration = Ns{7} * 24 * 3600 * 1'000'000'000;
/// A slice at time 0 is impossible if nothing else begins within this of it.
inline constexpr Ns kZeroBeginGap = Ns{60} * 1'000'000'000;

/// When slices begin that are not damaged.
struct Begins {
  Ns first_after_zero = std::numeric_limits<Ns>::max();  ///< the earliest that is not 0 or before
  Ns last = std::numeric_limits<Ns>::min();

  void add(const PendingSlice& slice, Ns begin) {
    if (slice.has(PendingSlice::kDamaged) || begin <= 0) return;
    first_after_zero = begin < first_after_zero ? begin : first_after_zero;
    last = begin > last ? begin : last;
  }
  void add(const Begins& other) {
    first_after_zero = other.first_after_zero < first_after_zero ? other.first_after_zero : first_after_zero;
    last = other.last > last ? other.last : last;
  }
};

enum class Damage : std::uint8_t { negative_duration, absurd_duration, begins_at_zero, far_off, run_without_duration };

/// Where slices of a file may be of which some are made up (see doubtful_text.hpp): one of them alone would otherwise
/// stretch the recording to years. Slices of a sound file may be anywhere.
struct Vicinity {
  Ns first = std::numeric_limits<Ns>::min();
  Ns last = std::numeric_limits<Ns>::max();

  /// Four times as far around the middle nine tenths of `begins` as these are long. O(n).
  static Vicinity of(std::vector<Ns> begins);
  [[nodiscard]] bool holds(Ns begin) const { return begin >= first && begin <= last; }
};

/// What slices of a file can be. Times are without the file's base.
struct Possible {
  Ns longest = 0;
  bool begins_elsewhere = false;
  Vicinity vicinity;

  /// `begins`: of slices in the vicinity.
  explicit Possible(const Begins& begins, const Vicinity& around = {});
  [[nodiscard]] bool holds(Ns begin, Ns duration) const {
    return duration >= 0 && duration <= longest && (begin > 0 || !begins_elsewhere) && is_near(begin, duration);
  }
  /// Of a slice for which it does not hold.
  [[nodiscard]] Damage why_not(Ns begin, Ns duration) const {
    if (duration < 0) return Damage::negative_duration;
    if (duration > longest) return Damage::absurd_duration;
    return begin > 0 || !begins_elsewhere ? Damage::far_off : Damage::begins_at_zero;
  }

 private:
  [[nodiscard]] bool is_near(Ns begin, Ns duration) const {
    return vicinity.holds(begin) && vicinity.holds(saturating_add(begin, duration));
  }
};

/// How often, and the first case in the file.
class DamageReport {
 public:
  void add(Damage damage, const PendingSlice& slice, Ns begin, Ns duration);
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
  std::array<Case, 5> cases_{};
};

}  // namespace warpscope::ingest
