#pragma once
// How many launches wait on each stream: a launch does from the begin of its call until its first run on that stream
// begins. A graph is one launch. The driver's queue of a stream holds 1024 by default; a host that finds it full waits.
//
// HTA counts the twelve calls whose names it knows, run by run, takes streams of the same number on all devices for
// one, and keeps every change as a sample; where host and device clocks differ its queues may be shorter than nothing.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/analysis/shared/launched_runs.hpp"
#include "core/analysis/shared/step_curve.hpp"

namespace warpscope::analysis {

/// Of one stream.
struct QueueLength {
  std::uint32_t device = 0;  ///< index into Rank::devices; as HTA counts, one of them
  std::uint32_t track = 0;   ///< index into Rank::tracks
  StepCurve length;
};

class QueueLengths {
 public:
  using Choice = KernelClasses::Choice;

  /// `shared`: as GpuRows.
  QueueLengths(const trace::Profile& profile, const Scope& scope, const Choice& choice,
               const CancelToken* cancel = nullptr, SharedResults* shared = nullptr);

  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return runs_.ranks(); }
  /// The streams of a rank on which anything waited in the scope's range, by device and number; as HTA counts, by
  /// number. Never null. O(n log n).
  [[nodiscard]] std::shared_ptr<const std::vector<QueueLength>> of(std::uint32_t rank);
  /// Launches left out so far, since they began to run before they were launched.
  [[nodiscard]] std::uint64_t early() const { return early_; }
  /// What the reader of a table must know: of `rows` rows.
  [[nodiscard]] std::string note(std::size_t rows) const;

 private:
  struct OfRank {
    std::vector<QueueLength> lengths;
    std::uint64_t early = 0;
  };
  [[nodiscard]] OfRank compute(std::uint32_t rank) const;

  const trace::Profile& profile_;
  std::optional<Interval> range_;
  bool hta_;
  LaunchedRuns runs_;
  std::uint64_t early_ = 0;
};

/// The queues of one rank, for who draws them.
[[nodiscard]] std::vector<QueueLength> queue_lengths(const trace::Profile& profile, std::uint32_t rank,
                                                     const CancelToken* cancel = nullptr);

}  // namespace warpscope::analysis
