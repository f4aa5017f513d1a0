#include "core/ingest/load/load_control.hpp"

namespace warpscope::ingest {

void LoadControl::cancel() {
  {
    const MutexLock lock(mutex_);
    token_->cancel();
    watching_ = false;
    cancelled_ |= !finished_;
  }
  news_.notify_all();
}

void LoadControl::watch(bool on) {
  {
    const MutexLock lock(mutex_);
    watching_ = on;
  }
  news_.notify_all();
}

void LoadControl::stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  cancel();
}

void LoadControl::finish() {
  {
    const MutexLock lock(mutex_);
    finished_ = true;
  }
  news_.notify_all();
}

bool LoadControl::watching() const {
  const MutexLock lock(mutex_);
  return watching_;
}

bool LoadControl::cancelled() const {
  const MutexLock lock(mutex_);
  return cancelled_;
}

bool LoadControl::finished() const {
  const MutexLock lock(mutex_);
  return finished_;
}

std::shared_ptr<CancelToken> LoadControl::token() const {
  const MutexLock lock(mutex_);
  return token_;
}

void LoadControl::wait_until_finished() {
  MutexLock lock(mutex_);
  news_.wait(lock, [this]() REQUIRES(mutex_) { return finished_; });
}

bool LoadControl::wait(bool watching, std::optional<std::chrono::milliseconds> pause) {
  MutexLock lock(mutex_);
  const auto woken = [&]() REQUIRES(mutex_) { return stopped_ || watching_ != watching; };
  if (pause)
    news_.wait_for(lock, *pause, woken);
  else
    news_.wait(lock, woken);
  if (token_->cancelled()) token_ = std::make_shared<CancelToken>();
  return !stopped_;
}

}  // namespace warpscope::ingest
