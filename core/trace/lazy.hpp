#pragma once
// Values created on first use. Use Lazy for rarely used indexes and StoredColumn for columns in a store: another thread
// may load a column while the rank is in use or after the rank is gone, so the value is shared with that thread. Access
// costs one or two loads and one predicted branch. Thread-safe; one thread creates the value.
#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/threads/mutex.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::trace {

/// May be moved only while being built; after that, any thread may read it. A copy starts without a value.
template <class T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(const Lazy& /*other*/) {}
  Lazy& operator=(const Lazy&) = delete;
  Lazy(Lazy&& other) noexcept : value_(other.value_.exchange(nullptr, std::memory_order_relaxed)) {}
  Lazy& operator=(Lazy&& other) noexcept {
    if (this != &other)
      delete value_.exchange(other.value_.exchange(nullptr, std::memory_order_relaxed), std::memory_order_relaxed);
    return *this;
  }
  ~Lazy() { delete value_.load(std::memory_order_relaxed); }

  /// Returns the value, or nullptr if it has not been created. Its address never changes, even if this object is moved.
  [[nodiscard]] const T* ready() const { return value_.load(std::memory_order_acquire); }

  /// Returns the value. The first call creates it with `make()`; concurrent calls wait.
  template <class Make>
  const T& get(const Make& make) const EXCLUDES(making_) {
    if (const T* value = ready()) [[likely]]
      return *value;
    const MutexLock lock(making_);
    if (const T* value = ready()) return *value;
    T* fresh = new T(make());
    value_.store(fresh, std::memory_order_release);
    return *fresh;
  }

  /// Returns the value for editing, creating an empty one if needed. Use only while building, on one thread.
  [[nodiscard]] T& edit() {
    if (T* value = value_.load(std::memory_order_relaxed)) return *value;
    T* fresh = new T();
    value_.store(fresh, std::memory_order_relaxed);
    return *fresh;
  }

 private:
  mutable std::atomic<T*> value_{nullptr};  // written with `making_` held, except by edit(); read without it
  mutable Mutex making_;
};

/// May be moved only while being built; after that, any thread may read it. Copies share the value.
template <class T>
class StoredColumn {
 public:
  StoredColumn() = default;
  /// A column loaded by `load`, which is called once, on any thread.
  explicit StoredColumn(std::function<T()> load) : shared_(std::make_shared<Shared>(std::move(load))) {}
  StoredColumn(StoredColumn&&) noexcept = default;
  StoredColumn& operator=(StoredColumn&&) noexcept = default;
  StoredColumn(const StoredColumn&) = default;
  StoredColumn& operator=(const StoredColumn&) = default;
  ~StoredColumn() = default;

  /// Returns the value, or nullptr if it is not in memory. Its address never changes, even if this object is moved.
  [[nodiscard]] const T* ready() const { return shared_ ? shared_->value.ready() : nullptr; }

  /// Returns the value, loading it if needed; nullptr if it is absent and ResidentOnly forbids loading it.
  [[nodiscard]] const T* resident() const {
    if (const T* value = ready()) [[likely]]
      return value;
    return shared_ && ResidentOnly::misses(shared_) ? nullptr : &get();
  }

  /// Returns the value, loading it if needed even under ResidentOnly. Empty if there is neither a value nor a loader.
  [[nodiscard]] const T& get() const {
    static const T kEmpty{};
    return shared_ ? shared_->get() : kEmpty;
  }

  /// Returns the value for editing, creating an empty one if needed. Use only while building, on one thread.
  [[nodiscard]] T& edit() {
    if (!shared_) shared_ = std::make_shared<Shared>(nullptr);
    return shared_->value.edit();
  }

 private:
  struct Shared final : Loadable {
    explicit Shared(std::function<T()> given) : make(std::move(given)) {}
    [[nodiscard]] bool present() const override { return value.ready() != nullptr; }
    void load() const override { static_cast<void>(get()); }
    [[nodiscard]] const T& get() const {
      return value.get([this] { return make ? make() : T(); });
    }

    Lazy<T> value;
    std::function<T()> make;
  };

  std::shared_ptr<Shared> shared_;
};

}  // namespace warpscope::trace
