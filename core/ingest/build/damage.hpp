#pragma once
// Finds impossible slices before lanes are built. They are kept and shown in separate rows, but do not count toward the
// span or utilization; otherwise, a few of them could dominate a report (in one trace, 7 of 55,000 slices accounted for
// 62 %).
//
// Validating a slice requires the times of the whole file, so there are two passes: the first collects the times of
// each track; the second checks each slice against the bulk of all of them (time_bulk.hpp).
#include <array>
#include <cstddef>
#include <limits>

#include "core/ingest/build/time_bulk.hpp"
#include "core/ingest/events/pending_rank.hpp"

namespace warpscope::ingest {

/// Longest possible slice: 7 days, the limit documented by HTA.
inline constexpr Ns kLongestDuration = Ns{7} * 24 * 3600 * 1'000'000'000;
/// A slice starting at time 0 is impossible if the bulk of the starts is further from 0 than this.
inline constexpr Ns kZeroBeginGap = Ns{60} * 1'000'000'000;

/// Adds the time of a slice to those that decide which times are possible. Omits slices at time 0 and those known to
/// be damaged; the end of an impossibly long slice does not count.
inline void add_time(TimeBulk& times, const PendingSlice& slice, Ns begin, Ns duration) {
  if (slice.has(PendingSlice::kDamaged) || begin == 0) return;
  const bool plausible = duration > 0 && duration <= kLongestDuration;
  times.add(begin, plausible ? saturating_add(begin, duration) : begin);
}

/// The last two kinds are legitimate but still reported: traces with microsecond resolution round the durations of
/// short kernels, memcpys and memsets to zero, and slices may overlap without nesting.
enum class Damage : std::uint8_t {
  negative_duration,
  absurd_duration,
  begins_at_zero,
  stray,
  overflow,  ///< a kernel that runs into later ones on its stream; shortened
  run_without_duration,
  overlap
};
inline constexpr std::size_t kDamages = 7;

/// Validity limits for a file's slices. Times are relative to the file's base.
struct Possible {
  Interval begins{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};  ///< both included
  Ns longest = 0;
  bool begins_elsewhere = false;

  /// `bulk`: the bulk of all start times; kEmptySpan if there are none.
  explicit Possible(Interval bulk);
  [[nodiscard]] bool holds(Ns begin, Ns duration) const {
    if (duration < 0 || duration > longest) return false;
    return begin == 0 ? !begins_elsewhere : begins.begin <= begin && begin <= begins.end;
  }
  /// Returns why a slice is impossible.
  [[nodiscard]] Damage why_not(Ns begin, Ns duration) const {
    if (duration < 0) return Damage::negative_duration;
    if (duration > longest) return Damage::absurd_duration;
    return begin == 0 ? Damage::begins_at_zero : Damage::stray;
  }
};

/// Removes the samples of counters and memory that are far from the bulk of `slices` and samples, and counts them. (A
/// counter has no separate row for samples with invalid times.)
void drop_stray_samples(PendingRank& pending, const TimeBulk& slices, const std::string& file,
                        Diagnostics& diagnostics);

/// Reports a recording that consists almost entirely of gaps of more than a day.
void note_gaps(const TimeBulk& times, const std::string& file, Diagnostics& diagnostics);

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
  std::array<Case, kDamages> cases_{};
};

}  // namespace warpscope::ingest
