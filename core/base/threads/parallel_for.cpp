#include "core/base/threads/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "core/base/threads/mutex.hpp"

namespace warpscope {

void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work) {
  parallel_for_while(count, threads, [&](std::size_t i) {
    work(i);
    return true;
  });
}

void parallel_for_while(std::size_t count, std::size_t threads, const std::function<bool(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  Mutex mutex;
  std::exception_ptr thrown;  // the first; guarded by mutex
  const auto share = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        if (work(i)) continue;
      } catch (...) {
        const MutexLock lock(mutex);
        if (!thrown) thrown = std::current_exception();
      }
      next = count;
    }
  };
  std::vector<std::thread> others;
  others.reserve(std::min(threads, count));
  try {
    while (others.size() + 1 < std::min(threads, count)) others.emplace_back(share);
  } catch (const std::exception&) {
    // The system cannot create more threads, so the existing threads do the work.
  }
  share();
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace warpscope
