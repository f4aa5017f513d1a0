#include "app/ui/shell/idle_timer.hpp"

#include <algorithm>

namespace warpscope::ui {

IdleTimer::State IdleTimer::update(Clock::time_point now, double hours, bool used) {
  if (used || !last_used_ || hours <= 0) last_used_ = now;  // while disabled, the idle time stays 0
  limit_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::max(0.0, hours) * 3600));
  if (limit_ == Clock::duration::zero()) return state_ = State::counting;
  const Clock::duration idle = now - *last_used_;
  const Clock::duration notice = std::min<Clock::duration>(kNotice, limit_ / 2);
  state_ = idle >= limit_ ? State::over : idle >= limit_ - notice ? State::notice : State::counting;
  return state_;
}

std::optional<double> IdleTimer::due_in(Clock::time_point now) const {
  if (limit_ == Clock::duration::zero() || !last_used_ || state_ == State::over) return std::nullopt;
  const Clock::duration notice = std::min<Clock::duration>(kNotice, limit_ / 2);
  const Clock::time_point due = *last_used_ + limit_ - (state_ == State::counting ? notice : Clock::duration::zero());
  return std::max(0.0, std::chrono::duration<double>(due - now).count());
}

}  // namespace warpscope::ui
