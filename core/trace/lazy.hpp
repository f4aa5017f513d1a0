#pragma once
// A value created on first use: columns loaded from a store, rarely used indexes. Access costs one load and one
// predicted branch. Thread-safe; one thread creates the value.
#include <atomic>
#include <mutex>
#include <utility>

namespace warpscope::trace {

/// Move only while building; afterwards any thread may read.
template <class T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(Lazy&& other) noexcept : value_(other.value_.exchange(nullptr, std::memory_order_relaxed)) {}
  Lazy& operator=(Lazy&& other) noexcept {
    if (this != &other)
      delete value_.exchange(other.value_.exchange(nullptr, std::memory_order_relaxed), std::memory_order_relaxed);
    return *this;
  }
  ~Lazy() { delete value_.load(std::memory_order_relaxed); }

  /// Returns the value, or nullptr if it has not been created. Its address never changes, even if this object is moved.
  [[nodiscard]] const T* ready() const { return value_.load(std::memory_order_acquire); }

  /// Returns the value; the first call creates it with `make()`, concurrent calls wait.
  template <class Make>
  const T& get(const Make& make) const {
    if (const T* value = ready()) [[likely]]
      return *value;
    const std::lock_guard lock(making_);
    if (const T* value = ready()) return *value;
    T* fresh = new T(make());
    value_.store(fresh, std::memory_order_release);
    return *fresh;
  }

  /// For building on one thread: returns the value, empty if new.
  [[nodiscard]] T& edit() {
    if (T* value = value_.load(std::memory_order_relaxed)) return *value;
    T* fresh = new T();
    value_.store(fresh, std::memory_order_relaxed);
    return *fresh;
  }

 private:
  mutable std::atomic<T*> value_{nullptr};
  mutable std::mutex making_;
};

}  // namespace warpscope::trace
