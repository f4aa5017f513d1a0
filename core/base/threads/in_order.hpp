#pragma once
// Work that must be done item by item, overlapped with other threads that prepare the items in any order.
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/threads/mutex.hpp"

namespace warpscope {

/// Works on each item as soon as it and all items before it are ready, in order, on one of the threads that call
/// ready(). Never blocks.
class InOrder {
 public:
  InOrder(std::size_t count, std::function<void(std::size_t)> work) : ready_(count), work_(std::move(work)) {}

  void ready(std::size_t item) EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      ready_[item] = 1;
    }
    while (const auto next = take()) {
      work_(*next);
      const MutexLock lock(mutex_);
      working_ = false;
    }
  }

 private:
  std::optional<std::size_t> take() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (working_ || next_ == ready_.size() || ready_[next_] == 0) return std::nullopt;
    working_ = true;
    return next_++;
  }

  Mutex mutex_;
  std::vector<char> ready_ GUARDED_BY(mutex_);
  std::size_t next_ GUARDED_BY(mutex_) = 0;
  bool working_ GUARDED_BY(mutex_) = false;
  const std::function<void(std::size_t)> work_;
};

}  // namespace warpscope
