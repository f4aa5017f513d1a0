// Actions that wait for columns.
#include "app/ui/model/when_loaded.hpp"

#include "tests/catch.hpp"

using warpscope::ui::WhenLoaded;

TEST_CASE("an action is retried once per frame until its columns are in memory") {
  WhenLoaded waiting;
  int attempts = 0;
  waiting.start([&] { return ++attempts == 3; });
  CHECK(attempts == 1);
  CHECK(waiting.waiting());
  waiting.update();
  CHECK(attempts == 2);
  waiting.update();
  CHECK(attempts == 3);
  CHECK_FALSE(waiting.waiting());
  waiting.update();
  CHECK(attempts == 3);
}

TEST_CASE("a newer action replaces the waiting one, even if the older one starts it") {
  WhenLoaded waiting;
  bool loaded = false;
  int first = 0, second = 0, third = 0;
  waiting.start([&] {
    ++first;
    return false;
  });
  waiting.start([&] {
    ++second;
    if (!loaded) return false;
    waiting.start([&] { return ++third == 2; });
    return true;
  });
  waiting.update();
  CHECK(first == 1);
  CHECK(second == 2);
  loaded = true;
  waiting.update();
  CHECK(second == 3);
  CHECK(third == 1);
  CHECK(waiting.waiting());
  waiting.update();
  CHECK(third == 2);
  CHECK_FALSE(waiting.waiting());
  waiting.start([] { return false; });
  waiting.stop();
  CHECK_FALSE(waiting.waiting());
}
