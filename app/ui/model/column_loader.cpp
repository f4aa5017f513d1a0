#include "app/ui/model/column_loader.hpp"

#include <algorithm>
#include <utility>

#include "core/base/threads/caught.hpp"

namespace warpscope::ui {

ColumnLoader::ColumnLoader(std::function<void()> wake) : wake_(wake ? std::move(wake) : [] {}) {}

ColumnLoader::~ColumnLoader() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  called_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ColumnLoader::want(const std::vector<Column>& columns) {
  std::size_t waiting = 0;
  bool arrived = false;
  {
    const MutexLock lock(mutex_);
    awaiting_ = false;
    waiting_.clear();
    if (no_threads_) return;
    for (auto column = columns.rbegin(); column != columns.rend(); ++column) {
      if (failed(*column)) continue;
      awaiting_ = true;
      if ((*column)->present())
        arrived = true;
      else if (std::ranges::find(loading_, column->get()) == loading_.end())
        waiting_.push_back(*column);
    }
    waiting = waiting_.size();
  }
  if (waiting > 0) {
    start_threads(waiting);
    called_.notify_all();
  }
  // Columns that arrived after the frame missed them will not wake the window, so wake it now.
  if (arrived) wake_();
}

std::optional<Error> ColumnLoader::take_error() {
  const MutexLock lock(mutex_);
  return std::exchange(error_, std::nullopt);
}

void ColumnLoader::start_threads(std::size_t count) {
  const std::size_t most = std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, kMostThreads);
  try {
    while (threads_.size() < std::min(most, count)) threads_.emplace_back([this] { work(); });
  } catch (...) {
    if (!threads_.empty()) return;
    no_threads_ = true;
    awaiting_ = false;
    const MutexLock lock(mutex_);
    error_ = caught("cannot load slices from the store");
  }
}

void ColumnLoader::work() {
  MutexLock lock(mutex_);
  while (true) {
    called_.wait(lock, [this]() REQUIRES(mutex_) { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    Column column = std::move(waiting_.back());
    waiting_.pop_back();
    loading_.push_back(column.get());
    lock.unlock();
    Failure failure;
    try {
      column->load();
    } catch (...) {
      failure = caught("cannot load slices from the store");
    }
    lock.lock();
    const bool wakes = take(column, std::move(failure));
    lock.unlock();
    column.reset();  // may free it
    if (wakes) wake_();
    lock.lock();
  }
}

bool ColumnLoader::take(const Column& column, Failure failure) {
  std::erase(loading_, column.get());
  if (failure) {
    failed_.push_back(column);
    error_ = std::move(failure);
  }
  const auto now = std::chrono::steady_clock::now();
  const bool wakes = waiting_.empty() || now - woken_ >= kWakeEvery;
  if (wakes) woken_ = now;
  return wakes;
}

bool ColumnLoader::failed(const Column& column) const {
  return std::ranges::any_of(failed_, [&](const auto& one) { return one.lock() == column; });
}

}  // namespace warpscope::ui
