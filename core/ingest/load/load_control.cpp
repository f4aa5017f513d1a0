#include "core/ingest/load/load_control.hpp"

namespace warpscope::ingest {

void LoadControl::cancel() {
  {
    const MutexLock lock(mutex_);
    token_->cancel();
    watching_ = false;
    if (!finished_) cancelled_ = true;
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

std::shared_ptr<CancelToken> LoadControl::token() const {
  const MutexLock lock(mutex_);
  return token_;
}

void LoadControl::wait_until_finished() {
  MutexLock lock(mutex_);
  news_.wait(lock, [this] { return finished_.load(); });
}

bool LoadControl::wait(bool watching, std::optional<std::chrono::milliseconds> pause) {
  MutexLock lock(mutex_);
  const auto woken = [&] { return stopped_ || watching_ != watching; };
  if (pause)
    news_.wait_for(lock, *pause, woken);
  else
    news_.wait(lock, woken);
  if (token_->cancelled()) token_ = std::make_shared<CancelToken>();
  return !stopped_;
}

}  // namespace warpscope::ingest
