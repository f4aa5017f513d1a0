#pragma once
// Estimates the rate and remaining time of a long operation from a count that grows in bursts.
//
// The rate is the ratio of two exponentially weighted sums: work done and time taken. A constant rate is therefore
// exact from the first sample on, even with irregular sampling, and the estimate adapts to changes within seconds. (A
// weighted mean of individual rates would be wrong for irregular samples.)
#include <cstdint>
#include <optional>

namespace warpscope {

class Rate {
 public:
  /// `memory`: seconds after which a sample's weight falls to 1/e.
  explicit Rate(double memory = 3) : memory_(memory) {}

  /// Records that `done` units of work were complete at `seconds` on a monotonic clock. Resets if `done` has decreased
  /// (the work was restarted). Ignores the sample if time has not advanced.
  void update(double seconds, std::uint64_t done);

  /// Returns the units of work per second; 0 during the first quarter of a second.
  [[nodiscard]] double per_second() const;
  /// Returns the seconds until `total` is reached at this rate; 0 if it has already been reached; nullopt while the
  /// rate is unknown or zero, or if a week or more is left.
  [[nodiscard]] std::optional<double> seconds_left(std::uint64_t total) const;

 private:
  double memory_;
  bool begun_ = false;
  double at_ = 0;
  std::uint64_t done_ = 0;
  double observed_ = 0;  // seconds, unweighted
  double faded_time_ = 0;
  double faded_work_ = 0;
};

}  // namespace warpscope
