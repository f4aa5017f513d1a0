#pragma once
// Closes a window that nobody uses: traces keep a lot of memory, and a machine that is rented by the hour keeps
// costing. Off unless the user wants it. Time comes from outside, so that tests need not wait.
#include <chrono>
#include <optional>

namespace warpscope::ui {

class IdleTimer {
 public:
  using Clock = std::chrono::steady_clock;
  /// Before it closes, it says so for this long.
  static constexpr std::chrono::seconds kNotice{60};

  enum class State { counting, notice, over };

  /// Call once a frame. `hours`: how long nothing may happen; 0: forever. `used`: the user did something, or work goes
  /// on that someone waits for.
  State update(Clock::time_point now, double hours, bool used);
  /// Seconds until update() would say something else; nullopt if it never will.
  [[nodiscard]] std::optional<double> due_in(Clock::time_point now) const;

 private:
  std::optional<Clock::time_point> last_used_;
  Clock::duration limit_{};
  State state_ = State::counting;
};

}  // namespace warpscope::ui
