#include "core/analysis/request/shared_results.hpp"

namespace warpscope::analysis {

std::size_t SharedResults::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

std::shared_ptr<SharedResults::Slot> SharedResults::slot_of(const Key& key) {
  const MutexLock lock(mutex_);
  std::shared_ptr<Slot>& slot = slots_[key];
  if (!slot) slot = std::make_shared<Slot>();
  return slot;
}

/// Reserves space for a value; false if there is not enough.
bool SharedResults::admit(std::size_t bytes) {
  const MutexLock lock(mutex_);
  if (bytes > most_bytes_ - bytes_) return false;
  bytes_ += bytes;
  return true;
}

}  // namespace warpscope::analysis
