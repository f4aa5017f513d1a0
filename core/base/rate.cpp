#include "core/base/rate.hpp"

#include <cmath>

namespace warpscope {

namespace {

// Rates over shorter periods fluctuate too much.
constexpr double kLeastTime = 0.25;
// Estimates beyond a week are useless: the work has practically stopped.
constexpr double kFarthest = 7.0 * 24 * 3600;

}  // namespace

void Rate::update(double seconds, std::uint64_t done) {
  if (!begun_ || done < done_) {
    *this = Rate(memory_);
    begun_ = true;
    at_ = seconds;
    done_ = done;
    return;
  }
  const double passed = seconds - at_;
  if (!(passed > 0)) return;
  const double fade = std::exp(-passed / memory_);
  faded_time_ = faded_time_ * fade + passed;
  faded_work_ = faded_work_ * fade + static_cast<double>(done - done_);
  observed_ += passed;
  at_ = seconds;
  done_ = done;
}

double Rate::per_second() const { return observed_ < kLeastTime ? 0 : faded_work_ / faded_time_; }

std::optional<double> Rate::seconds_left(std::uint64_t total) const {
  if (begun_ && done_ >= total) return 0.0;
  const double pace = per_second();
  if (!begun_ || !(pace > 0)) return std::nullopt;
  const double left = static_cast<double>(total - done_) / pace;
  return left < kFarthest ? std::optional(left) : std::nullopt;
}

}  // namespace warpscope
