#include "core/base/threads/shared_units.hpp"

#include <utility>

namespace warpscope {

void SharedUnits::run(std::size_t count, const std::function<void(std::size_t)>& unit) {
  {
    const MutexLock lock(mutex_);
    unit_ = &unit;
    count_ = left_ = count;
    next_ = 0;
  }
  if (count > 1 && on_units_) on_units_();
  while (help()) {
  }
  MutexLock lock(mutex_);
  done_.wait(lock, [&]() REQUIRES(mutex_) { return left_ == 0; });
  unit_ = nullptr;
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

bool SharedUnits::help() {
  MutexLock lock(mutex_);
  if (unit_ == nullptr || next_ == count_) return false;
  const std::size_t mine = next_++;
  const auto& unit = *unit_;
  lock.unlock();
  std::exception_ptr thrown;
  try {
    unit(mine);
  } catch (...) {
    thrown = std::current_exception();
  }
  lock.lock();
  if (thrown && !thrown_) thrown_ = std::move(thrown);
  if (--left_ == 0) done_.notify_all();
  return true;
}

}  // namespace warpscope
