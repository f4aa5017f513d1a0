#pragma once
// Intermediate results shared by the analyses in one request: GPU activity rows, kernel classes, call trees, queues.
// The report runs every analysis that needs only one profile; the Dashboard runs about a dozen. The first analysis that
// needs a value computes it; the others reuse it.
//
// A caller that runs several analyses creates a SharedResults and passes it to run_analysis(). Memory is bounded: a
// value that would exceed the limit is not kept; each caller computes its own. A job with many ranks therefore runs as
// if nothing were shared, without using more memory. Cancelled computations are not kept.
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>

#include "core/base/progress.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Thread-safe. Must not outlive the profile.
class SharedResults {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{128} << 20;

  /// `most_bytes`: total limit for all values.
  explicit SharedResults(const trace::Profile& profile, std::size_t most_bytes = kMostBytes)
      : profile_(&profile), most_bytes_(most_bytes) {}

  [[nodiscard]] bool is_of(const trace::Profile& profile) const { return profile_ == &profile; }
  /// Returns the memory used by kept values, as reported by `bytes_of`.
  [[nodiscard]] std::size_t bytes() const EXCLUDES(mutex_);

  /// Returns the value with this key and type. `make()` computes it on first use, while other callers wait for it.
  /// `bytes_of(value)` returns its size in memory. After `cancel` (may be null) is cancelled, results are meaningless.
  template <class Make, class BytesOf>
  [[nodiscard]] auto get(const std::string& key, const CancelToken* cancel, Make make, BytesOf bytes_of)
      -> std::shared_ptr<const std::invoke_result_t<Make>> {
    using Value = std::invoke_result_t<Make>;
    const std::shared_ptr<Slot> slot = slot_of({std::type_index(typeid(Value)), key});
    {
      const MutexLock making(slot->making);
      if (slot->value) return std::static_pointer_cast<const Value>(slot->value);
      if (!slot->alone) {
        auto value = std::make_shared<const Value>(make());
        if (cancel != nullptr && cancel->cancelled()) return value;
        slot->alone = !admit(bytes_of(*value));
        if (!slot->alone) slot->value = value;
        return value;
      }
    }
    return std::make_shared<const Value>(make());
  }

 private:
  using Key = std::pair<std::type_index, std::string>;
  struct Slot {
    Mutex making;                                          // held while the value is computed
    std::shared_ptr<const void> value GUARDED_BY(making);  // null: not computed, or not kept
    bool alone GUARDED_BY(making) = false;                 // above the limit: each caller computes its own
  };

  [[nodiscard]] std::shared_ptr<Slot> slot_of(const Key& key) EXCLUDES(mutex_);
  [[nodiscard]] bool admit(std::size_t bytes) EXCLUDES(mutex_);

  const trace::Profile* profile_;
  std::size_t most_bytes_;
  mutable Mutex mutex_;
  std::map<Key, std::shared_ptr<Slot>> slots_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

/// Gets a value from `shared`, or computes it each time if `shared` is null.
template <class Make, class BytesOf>
[[nodiscard]] auto get_shared(SharedResults* shared, const std::string& key, const CancelToken* cancel, Make make,
                              BytesOf bytes_of) {
  if (shared != nullptr) return shared->get(key, cancel, std::move(make), std::move(bytes_of));
  return std::make_shared<const std::invoke_result_t<Make>>(make());
}

}  // namespace warpscope::analysis
