#pragma once
// Closes the window when idle, because traces use a lot of memory and machines billed by the hour cost money while
// running. Off by default. Callers pass in the time, so tests do not have to wait.
#include <chrono>
#include <optional>

namespace warpscope::ui {

class IdleTimer {
 public:
  using Clock = std::chrono::steady_clock;
  /// Time between the notice and the window closing.
  static constexpr std::chrono::seconds kNotice{60};

  enum class State { counting, notice, over };

  /// Call once per frame. `hours`: idle time until closing; 0: never. `used`: there was input, or the user is waiting
  /// for work to finish.
  State update(Clock::time_point now, double hours, bool used);
  /// Returns the number of seconds until update() will return a different state; nullopt if never.
  [[nodiscard]] std::optional<double> due_in(Clock::time_point now) const;

 private:
  std::optional<Clock::time_point> last_used_;
  Clock::duration limit_{};
  State state_ = State::counting;
};

}  // namespace warpscope::ui
