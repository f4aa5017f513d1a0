#pragma once
// FLOPs of a rank's matrix products, convolutions and attention by launch time, and the time a GPU would need for them
// at its peak rate: the basis for model FLOPs utilization (MFU). Work counts toward the step that
// launches it, even if the GPU executes it later because the host is ahead. All executed operations count, so operators
// that activation checkpointing reruns are counted twice.
//
// O(n log n) in the GPU activity of a rank.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/efficiency/counted_activity.hpp"
#include "core/analysis/efficiency/device_peaks.hpp"

namespace warpscope::analysis {

class ProductWork {
 public:
  struct Amount {
    double flops = 0;
    double rated = 0;     ///< part of `flops` with a known peak rate
    double shortest = 0;  ///< ns that one GPU needs for `rated` at its peak rates
  };

  /// `rows`: GpuRows::of(rank) without a time range, so calls are counted in full.
  ProductWork(const AnalysisInput& input, std::uint32_t rank, const GpuRows::Rows& rows, ProblemBook& book,
              PeaksOfModels& peaks);

  /// Returns the work launched in `time`.
  [[nodiscard]] Amount within(Interval time) const;
  /// Returns the fraction of the peak rate achieved by the rank's GPUs if the work launched in `time` takes `length`;
  /// nullopt if unknown.
  [[nodiscard]] std::optional<double> utilization(Interval time, Ns length) const;

  /// Return the GPU time of products with and without recorded inputs, respectively.
  [[nodiscard]] Ns recorded() const { return recorded_; }
  [[nodiscard]] Ns not_recorded() const { return not_recorded_; }
  /// Returns the reason why arguments are missing; "" if none are.
  [[nodiscard]] const std::string& unread() const { return unread_; }

 private:
  struct Launched {
    Ns launch = 0;  ///< for activity without a launch: start of the activity
    Amount amount;
  };

  std::vector<Launched> launched_;  // by launch
  std::size_t gpus_ = 0;            // with activity
  Ns recorded_ = 0;
  Ns not_recorded_ = 0;
  std::string unread_;
};

}  // namespace warpscope::analysis
