// Background work for panels: the caller never waits for cancelled work.
#include "app/ui/model/background.hpp"

#include <atomic>
#include <future>
#include <new>
#include <stdexcept>

#include "tests/catch.hpp"

using warpscope::CancelToken;
using warpscope::ui::Background;

namespace {

/// Work that ignores its token and ends only when released.
struct Stubborn {
  std::promise<void> began;
  std::promise<void> let_go;

  std::function<int(const CancelToken&)> work(int result) {
    return [this, result, gate = std::make_shared<std::future<void>>(let_go.get_future())](const CancelToken&) {
      began.set_value();
      gate->wait();
      return result;
    };
  }
};

template <class T>
T wait_for(Background<T>& work) {
  while (true) {
    if (auto result = work.take()) return std::move(*result);
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("background work returns its result once and wakes the window", "[threads]") {
  std::atomic<int> woken = 0;
  Background<int> work;
  CHECK_FALSE(work.running());
  work.start([](const CancelToken&) { return 7; }, [&] { ++woken; });
  CHECK(work.running());
  CHECK(wait_for(work) == 7);
  CHECK(woken == 1);
  CHECK_FALSE(work.running());
  CHECK_FALSE(work.take().has_value());
}

TEST_CASE("stopping background work does not block, and the next work starts after it ends", "[threads]") {
  Stubborn first;
  std::atomic<bool> first_done = false;
  std::atomic<int> woken = 0;
  Background<int> work;
  work.start(
      [&, inner = first.work(1)](const CancelToken& cancel) {
        const int result = inner(cancel);
        first_done = true;
        return result;
      },
      [&] { ++woken; });
  first.began.get_future().wait();
  work.stop();  // returns although the first work is still running
  CHECK_FALSE(work.running());
  bool after_first = false;
  work.start(
      [&](const CancelToken&) {
        after_first = first_done;
        return 2;
      },
      [&] { ++woken; });
  std::atomic<bool> third_ran = false;
  work.start(
      [&](const CancelToken&) {
        third_ran = true;
        return 3;
      },
      [&] { ++woken; });
  CHECK_FALSE(work.take().has_value());
  CHECK_FALSE(third_ran);
  first.let_go.set_value();
  CHECK(wait_for(work) == 3);
  CHECK(first_done);
  CHECK_FALSE(after_first);  // the second was cancelled before it started
  CHECK(woken == 1);
}

TEST_CASE("stopped background work releases its data", "[threads]") {
  auto held = std::make_shared<int>(5);
  const std::weak_ptr<int> watched = held;
  Stubborn slow;
  {
    Background<std::shared_ptr<int>> work;
    work.start(
        [held, wait = slow.work(0)](const CancelToken& cancel) {
          wait(cancel);
          return held;
        },
        {});
    held.reset();
    slow.began.get_future().wait();
    work.stop();
    CHECK_FALSE(watched.expired());
    slow.let_go.set_value();
    while (!watched.expired()) std::this_thread::yield();  // without another call
  }
  CHECK(watched.expired());
}

TEST_CASE("an exception in background work becomes a failed result", "[threads]") {
  Background<warpscope::Result<int>> work;
  work.start([](const CancelToken&) -> warpscope::Result<int> { throw std::bad_alloc(); }, {});
  const auto result = wait_for(work);
  REQUIRE_FALSE(result);
  CHECK(result.error().what == "not enough memory");
  Background<warpscope::Table> table;
  table.start([](const CancelToken&) -> warpscope::Table { throw std::runtime_error("broken"); }, {});
  CHECK(wait_for(table).note == "failed unexpectedly: broken");
  Background<int> number;
  number.start([](const CancelToken&) -> int { throw 1; }, {});
  CHECK(wait_for(number) == 0);
}
