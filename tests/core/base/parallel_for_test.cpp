#include "core/base/threads/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "core/base/threads/in_order.hpp"
#include "tests/catch.hpp"

using warpscope::parallel_for;
using warpscope::parallel_for_while;

TEST_CASE("parallel_for calls the work once for each index, for any number of threads", "[threads]") {
  for (const std::size_t threads : {0, 1, 2, 5, 64}) {
    for (const std::size_t count : {0, 1, 3, 1000}) {
      CAPTURE(threads, count);
      std::vector<std::atomic<int>> calls(count);
      parallel_for(count, threads, [&](std::size_t i) { ++calls[i]; });
      for (const auto& each : calls) REQUIRE(each == 1);
    }
  }
}

TEST_CASE("parallel_for uses several threads at a time", "[threads]") {
  std::atomic<int> inside{0};
  parallel_for(2, 2, [&](std::size_t) {
    ++inside;
    while (inside < 2) std::this_thread::yield();  // would hang if one thread did both
  });
  CHECK(inside == 2);
}

TEST_CASE("parallel_for rethrows the first exception and starts no more work", "[threads]") {
  std::atomic<int> calls{0};
  CHECK_THROWS_AS(parallel_for(1'000'000, 4,
                               [&](std::size_t i) {
                                 ++calls;
                                 if (i == 10) throw std::bad_alloc();
                                 if (i > 10) std::this_thread::sleep_for(std::chrono::microseconds(100));
                               }),
                  std::bad_alloc);
  CHECK(calls < 1'000'000);
}

TEST_CASE("parallel_for_while stops when the work returns false", "[threads]") {
  std::atomic<int> calls{0};
  parallel_for_while(1'000'000, 1, [&](std::size_t i) {
    ++calls;
    return i < 4;
  });
  CHECK(calls == 5);
}

TEST_CASE("InOrder works on items in order, whatever the order in which they become ready", "[threads]") {
  constexpr std::size_t kItems = 500;
  std::vector<std::size_t> worked;
  std::atomic<int> inside{0};
  std::atomic<bool> overlapped{false};
  warpscope::InOrder in_order(kItems, [&](std::size_t item) {
    if (inside++ != 0) overlapped = true;
    worked.push_back(item);
    --inside;
  });
  parallel_for(kItems, 4, [&](std::size_t i) { in_order.ready(i % 2 == 0 ? i / 2 : kItems - 1 - i / 2); });
  CHECK_FALSE(overlapped);
  REQUIRE(worked.size() == kItems);
  CHECK(std::ranges::is_sorted(worked));
}
