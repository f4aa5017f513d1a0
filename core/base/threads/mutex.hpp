#pragma once
// std::mutex, its lock and std::condition_variable with thread safety annotations, which libstdc++ lacks.
#include <condition_variable>
#include <mutex>
#include <utility>

#include "core/base/threads/annotations.hpp"

namespace warpscope {

class CAPABILITY("mutex") Mutex {
 private:
  friend class MutexLock;
  std::mutex mutex_;
};

/// Holds a mutex for its lifetime, except between unlock() and lock().
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() RELEASE() = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() RELEASE() { lock_.unlock(); }
  void lock() ACQUIRE() { lock_.lock(); }

 private:
  friend class Condition;
  std::unique_lock<std::mutex> lock_;
};

/// A condition variable. The lock must hold the mutex that guards the data read by `until`; a lambda declares this with
/// REQUIRES.
class Condition {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }
  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  template <class Until>
  void wait(MutexLock& lock, Until until) {
    condition_.wait(lock.lock_, std::move(until));
  }
  /// Returns false on timeout.
  template <class Duration, class Until>
  bool wait_for(MutexLock& lock, const Duration& time, Until until) {
    return condition_.wait_for(lock.lock_, time, std::move(until));
  }

 private:
  std::condition_variable condition_;
};

}  // namespace warpscope
