#pragma once
// Ranks whose files end early. Missing data must not look like idle time, so all code that divides by time or draws
// idle time uses CoveredTime to find where a rank's data ends. The profiler writes host events first and GPU activity
// last, so a truncated file often has all host events but only part of the GPU activity. A rank's data therefore ends
// where its GPU activity ends.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/time.hpp"
#include "core/trace/gpus.hpp"

namespace warpscope::trace {

class Profile;

enum class EarlyEnd : std::uint8_t { truncated, damaged, reading_stopped, still_written };

struct PartialRank {
  std::uint32_t rank = 0;  ///< index
  EarlyEnd why = EarlyEnd::truncated;
  Ns until = 0;  ///< end of the last GPU activity; without any, start of the last host event. Absolute, in ns
};

/// The part of the profile covered by each rank's data.
class CoveredTime {
 public:
  /// O(diagnostics · log ranks + lanes of partial ranks).
  explicit CoveredTime(const Profile& profile);

  [[nodiscard]] const std::vector<PartialRank>& partial() const { return partial_; }  ///< by rank
  [[nodiscard]] const PartialRank* find(std::uint32_t rank) const;                    ///< nullptr: read completely
  /// Returns the part of `time` covered by the rank's data: all of it, or up to the rank's end. O(log partial ranks).
  [[nodiscard]] Interval of(std::uint32_t rank, Interval time) const;
  /// Same for a GPU. If there are several recordings, uses the one that starts last.
  [[nodiscard]] Interval of(const Gpu& gpu, Interval time) const;

 private:
  const Profile& profile_;
  std::vector<PartialRank> partial_;
};

/// Returns a note such as "Rank 0 is truncated after 41 ms; values cover only that part." about those of the given
/// ranks (indices; empty: all) whose data ends before `until`; "" if there are none.
[[nodiscard]] std::string partial_note(const Profile& profile, std::span<const std::uint32_t> ranks, Ns until);
[[nodiscard]] std::string partial_note(const Profile& profile);

}  // namespace warpscope::trace
