#include "app/ui/shell/idle_timer.hpp"

#include "tests/catch.hpp"

using namespace warpscope::ui;
using namespace std::chrono_literals;

namespace {

using State = IdleTimer::State;
constexpr IdleTimer::Clock::time_point kStart{1000h};

}  // namespace

TEST_CASE("an idle timer that is off never closes the window") {
  IdleTimer timer;
  CHECK(timer.update(kStart, 0, false) == State::counting);
  CHECK(timer.update(kStart + 1000h, 0, false) == State::counting);
  CHECK_FALSE(timer.due_in(kStart + 1000h));
}

TEST_CASE("an idle timer warns one minute before closing") {
  IdleTimer timer;
  CHECK(timer.update(kStart, 2, false) == State::counting);
  CHECK(timer.due_in(kStart) == 2 * 3600 - 60);
  CHECK(timer.update(kStart + 2h - 61s, 2, false) == State::counting);
  CHECK(timer.update(kStart + 2h - 60s, 2, false) == State::notice);
  CHECK(timer.due_in(kStart + 2h - 60s) == 60);
  CHECK(timer.update(kStart + 2h, 2, false) == State::over);
  CHECK_FALSE(timer.due_in(kStart + 2h));
}

TEST_CASE("input restarts the idle timer") {
  IdleTimer timer;
  timer.update(kStart, 1, false);
  CHECK(timer.update(kStart + 59min, 1, true) == State::counting);
  CHECK(timer.update(kStart + 61min, 1, false) == State::counting);
  CHECK(timer.update(kStart + 118min + 30s, 1, false) == State::notice);
  CHECK(timer.update(kStart + 118min + 31s, 1, true) == State::counting);
  CHECK(timer.update(kStart + 400min, 1, false) == State::over);
}

TEST_CASE("a new idle limit applies immediately") {
  IdleTimer timer;
  timer.update(kStart, 8, false);
  CHECK(timer.update(kStart + 3h, 8, false) == State::counting);
  CHECK(timer.update(kStart + 3h, 2, false) == State::over);
  CHECK(timer.update(kStart + 3h, 0, false) == State::counting);
  CHECK(timer.update(kStart + 3h, 2, false) == State::counting);  // counts from this point
}
