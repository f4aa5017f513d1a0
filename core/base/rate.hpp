#pragma once
// How fast a long piece of work goes and when it will be done, from a count that grows by fits and starts.
//
// The rate is that of the recent past: work done and time taken are two sums that fade with age at the same pace, and
// their quotient is the rate. So a steady pace is told exactly from the first look on, however irregular the looks are,
// and a change of pace is believed after a few seconds. (Exponentially weighted sums of numerator and denominator; a
// weighted mean of single rates would be off for looks at odd intervals.)
#include <cstdint>
#include <optional>

namespace warpscope {

class Rate {
 public:
  /// `memory`: seconds after which the past counts by 1/e.
  explicit Rate(double memory = 3) : memory_(memory) {}

  /// `done` of the work is done at `seconds` of any clock that only goes forward. A `done` below the last one (work
  /// began anew) forgets everything; a time that did not go on is not looked at.
  void update(double seconds, std::uint64_t done);

  /// Work per second; 0 until it has been looked at for a quarter of a second.
  [[nodiscard]] double per_second() const;
  /// Seconds until `total` is done at this pace: 0 if it is. Nothing while the pace is unknown or nil.
  [[nodiscard]] std::optional<double> seconds_left(std::uint64_t total) const;

 private:
  double memory_;
  bool begun_ = false;
  double at_ = 0;
  std::uint64_t done_ = 0;
  double observed_ = 0;  // seconds, not faded
  double faded_time_ = 0;
  double faded_work_ = 0;
};

}  // namespace warpscope
