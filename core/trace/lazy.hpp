#pragma once
// A value that is made when it is first looked at: columns that a store holds, indexes that not everyone asks. Reading
// costs one load and one predicted branch; several threads may look at once, one of them makes the value.
#include <atomic>
#include <mutex>
#include <utility>

namespace warpscope::trace {

/// Moving it is for whoever builds; from then on it is read by any thread.
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

  /// The value, or nullptr if nobody has asked for it yet. Its address never changes, not even by moving this.
  [[nodiscard]] const T* ready() const { return value_.load(std::memory_order_acquire); }

  /// The value; made by `make()` the first time. Whoever comes meanwhile waits.
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

  /// For building, by one thread: the value, made empty if there is none.
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
