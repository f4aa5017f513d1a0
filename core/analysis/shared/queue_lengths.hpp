#pragma once
// Queue depth of each stream: the number of waiting launches. A launch waits from the start of its call until its first
// GPU activity on that stream starts. A graph counts as one launch. By default, the driver's queue for a stream holds
// 1024 launches; the host blocks when it is full.
//
// HTA recognizes only twelve API calls, by name, and counts each GPU activity separately. It merges streams with the
// same number on all devices and keeps every change as a sample. If host and device clocks differ, its queue lengths
// may be negative.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/analysis/shared/launched_runs.hpp"
#include "core/analysis/shared/step_curve.hpp"

namespace warpscope::analysis {

/// Queue depth of one stream.
struct QueueLength {
  std::uint32_t device = 0;  ///< index into Rank::devices; with hta, any of them
  std::uint32_t track = 0;   ///< index into Rank::tracks
  StepCurve length;
};

class QueueLengths {
 public:
  using Choice = KernelClasses::Choice;

  /// `shared`: as in GpuRows.
  QueueLengths(const trace::Profile& profile, const Scope& scope, const Choice& choice,
               const CancelToken* cancel = nullptr, SharedResults* shared = nullptr);

  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return runs_.ranks(); }
  /// Returns a rank's streams that have waiting launches in the scope's range, by device and number; with hta, by
  /// number. Never null. O(n log n).
  [[nodiscard]] std::shared_ptr<const std::vector<QueueLength>> of(std::uint32_t rank);
  /// Returns the number of launches excluded so far because their GPU activity starts before the launch.
  [[nodiscard]] std::uint64_t early() const { return early_; }
  /// Returns the note for a table with `rows` rows.
  [[nodiscard]] std::string note(std::size_t rows) const;

 private:
  struct OfRank {
    std::vector<QueueLength> lengths;
    std::uint64_t early = 0;
  };
  [[nodiscard]] OfRank compute(std::uint32_t rank) const;

  const trace::Profile& profile_;
  Scope scope_;
  bool hta_;
  LaunchedRuns runs_;
  std::uint64_t early_ = 0;
};

/// Returns the queues of one rank, for drawing.
[[nodiscard]] std::vector<QueueLength> queue_lengths(const trace::Profile& profile, std::uint32_t rank,
                                                     const CancelToken* cancel = nullptr);

}  // namespace warpscope::analysis
