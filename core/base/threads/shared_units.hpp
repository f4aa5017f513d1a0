#pragma once
// A batch of work units. The owner waits for all units; other threads may run some of them.
#include <cstddef>
#include <exception>
#include <functional>

#include "core/base/threads/mutex.hpp"

namespace warpscope {

class SharedUnits {
 public:
  /// `on_units` is called when units become available.
  explicit SharedUnits(std::function<void()> on_units) : on_units_(std::move(on_units)) {}

  /// Runs unit(0) … unit(count - 1) on this thread and on threads that call help(); returns when all are done. Only one
  /// batch may run at a time. Rethrows the first exception thrown by a unit on any thread.
  void run(std::size_t count, const std::function<void(std::size_t)>& unit);
  /// Runs one unit. Returns false if no unit was available.
  bool help();

 private:
  std::function<void()> on_units_;
  Mutex mutex_;
  Condition done_;
  const std::function<void(std::size_t)>* unit_ GUARDED_BY(mutex_) = nullptr;
  std::size_t count_ GUARDED_BY(mutex_) = 0;
  std::size_t next_ GUARDED_BY(mutex_) = 0;
  std::size_t left_ GUARDED_BY(mutex_) = 0;  // not finished
  std::exception_ptr thrown_ GUARDED_BY(mutex_);
};

}  // namespace warpscope
