#pragma once
// What analyses of one request compute alike: rows of GPU activity, classes of kernels, call trees, queues. The report
// runs thirty analyses of a profile and the Dashboard a dozen; the first that needs such a value computes it, and the
// others read it.
//
// Whoever runs several analyses owns one of these for as long as that takes and hands it to run_analysis(). It is
// bounded: a value beyond the limit belongs to its caller alone, so that a job of many ranks takes the time that it
// would take without sharing, but no more memory. A value whose computation was cancelled is not kept.
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>

#include "core/base/progress.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Safe from any thread; must not outlive the profile.
class SharedResults {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{128} << 20;

  /// `most_bytes`: of all values together.
  explicit SharedResults(const trace::Profile& profile, std::size_t most_bytes = kMostBytes)
      : profile_(&profile), most_bytes_(most_bytes) {}

  [[nodiscard]] bool is_of(const trace::Profile& profile) const { return profile_ == &profile; }
  /// Of the values that are kept, as their `bytes_of` counts them.
  [[nodiscard]] std::size_t bytes() const;

  /// The value of that key, of this type; made by `make()` the first time, while others who ask for it wait.
  /// `bytes_of(value)`: the memory it takes. Once `cancel` (may be null) is cancelled, what comes back is of no use.
  template <class Make, class BytesOf>
  [[nodiscard]] auto get(const std::string& key, const CancelToken* cancel, Make make, BytesOf bytes_of)
      -> std::shared_ptr<const std::invoke_result_t<Make>> {
    using Value = std::invoke_result_t<Make>;
    const std::shared_ptr<Slot> slot = slot_of({std::type_index(typeid(Value)), key});
    std::unique_lock making(slot->making);
    if (slot->value) return std::static_pointer_cast<const Value>(slot->value);
    if (slot->alone) making.unlock();
    auto value = std::make_shared<const Value>(make());
    const bool partial = cancel != nullptr && cancel->cancelled();
    if (partial || !making.owns_lock()) return value;
    slot->alone = !admit(bytes_of(*value));
    if (!slot->alone) slot->value = value;
    return value;
  }

 private:
  using Key = std::pair<std::type_index, std::string>;
  struct Slot {
    std::mutex making;                  // held while the value is made; guards the rest
    std::shared_ptr<const void> value;  // null: nobody made it, or there is no room
    bool alone = false;                 // there is no room: everyone makes its own
  };

  [[nodiscard]] std::shared_ptr<Slot> slot_of(const Key& key);
  [[nodiscard]] bool admit(std::size_t bytes);

  const trace::Profile* profile_;
  std::size_t most_bytes_;
  mutable std::mutex mutex_;  // guards everything below
  std::map<Key, std::shared_ptr<Slot>> slots_;
  std::size_t bytes_ = 0;
};

/// The same with or without others to share with: without them (null) it is made each time.
template <class Make, class BytesOf>
[[nodiscard]] auto get_shared(SharedResults* shared, const std::string& key, const CancelToken* cancel, Make make,
                              BytesOf bytes_of) {
  if (shared != nullptr) return shared->get(key, cancel, std::move(make), std::move(bytes_of));
  return std::make_shared<const std::invoke_result_t<Make>>(make());
}

}  // namespace warpscope::analysis
