#pragma once
// Finds impossible slices before lanes are built. They are kept and shown in separate rows, but do not count toward the
// span or utilization; otherwise, a few of them could dominate a report (in one trace, 7 of 55,000 slices accounted for
// 62 %).
//
// Validating a slice requires the start times of the whole file, so there are two passes: the first collects the starts
// of each track; the second checks each slice against the combined result.
#include <array>
#include <cstddef>
#include <limits>

#include "core/ingest/events/pending_rank.hpp"

namespace warpscope::ingest {

/// Longest possible slice: 7 days, the limit documented by HTA.
inline constexpr Ns kLongestDuration = Ns{7} * 24 * 3600 * 1'000'000'000;
/// A slice starting at time 0 is impossible if the earliest start above 0 is later than this.
inline constexpr Ns kZeroBeginGap = Ns{60} * 1'000'000'000;

/// First and last start times among valid slices.
struct Begins {
  Ns first_after_zero = std::numeric_limits<Ns>::max();  ///< the earliest start above 0
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

/// The last two kinds are legitimate but still reported: traces with microsecond resolution round the durations of
/// short kernels, memcpys and memsets to zero, and slices may overlap without nesting.
enum class Damage : std::uint8_t { negative_duration, absurd_duration, begins_at_zero, run_without_duration, overlap };

/// Validity limits for a file's slices. Times are relative to the file's base.
struct Possible {
  Ns longest = 0;
  bool begins_elsewhere = false;

  explicit Possible(const Begins& begins);
  [[nodiscard]] bool holds(Ns begin, Ns duration) const {
    return duration >= 0 && duration <= longest && (begin > 0 || !begins_elsewhere);
  }
  /// Returns why a slice is impossible.
  [[nodiscard]] Damage why_not(Ns duration) const {
    if (duration < 0) return Damage::negative_duration;
    if (duration > longest) return Damage::absurd_duration;
    return Damage::begins_at_zero;
  }
};

/// The number of cases and the first one in the file, for each kind of damage.
class DamageReport {
 public:
  void add(Damage damage, const PendingSlice& slice, Ns begin, Ns duration);
  void add(const DamageReport& other);
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
