#include "core/ingest/read/crew.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "core/base/threads/caught.hpp"

namespace warpscope::ingest {

namespace {

constexpr auto kTickEvery = std::chrono::milliseconds(40);

}  // namespace

void Crew::run(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job,
               const std::function<void()>& tick, const std::function<void(std::size_t, const Error&)>& failed) {
  if (count == 0) return;
  const Batch batch{count, job, failed};
  std::vector<std::thread> crew;
  MutexLock lock(mutex_);
  next_job_ = 0;
  jobs_left_ = count;
  threads_left_ = 0;
  try {
    crew.reserve(threads);
    for (; threads_left_ < threads; ++threads_left_) crew.emplace_back([this, &batch] { work(batch); });
  } catch (const std::exception&) {
    // The system cannot create more threads: the existing threads do the work.
  }
  if (crew.empty()) {
    threads_left_ = 1;
    lock.unlock();
    work(batch);
    return;
  }
  while (!finished_.wait_for(lock, kTickEvery, [&]() REQUIRES(mutex_) { return threads_left_ == 0; })) {
    lock.unlock();
    try {
      tick();
    } catch (const std::exception&) {
      // tick() only reports progress and is called again.
    }
    lock.lock();
  }
  lock.unlock();
  for (std::thread& thread : crew) thread.join();
}

void Crew::work(const Batch& batch) {
  MutexLock lock(mutex_);
  while (jobs_left_ > 0) {
    const std::uint64_t calls = calls_;
    lock.unlock();
    const bool helped = help();
    lock.lock();
    if (helped) continue;
    if (next_job_ < batch.count) {
      const std::size_t mine = next_job_++;
      lock.unlock();
      try {
        batch.job(mine);
      } catch (...) {
        batch.failed(mine, caught(""));
      }
      lock.lock();
      if (--jobs_left_ == 0) called_.notify_all();
    } else {
      called_.wait(lock, [&]() REQUIRES(mutex_) { return calls_ != calls || jobs_left_ == 0; });
    }
  }
  if (--threads_left_ == 0) finished_.notify_all();
}

bool Crew::help() {
  try {
    std::vector<std::shared_ptr<SourceReader>> readers;
    {
      const MutexLock lock(mutex_);
      readers = readers_;
    }
    return std::any_of(readers.begin(), readers.end(), [](const auto& reader) { return reader->help(); });
  } catch (const std::exception&) {
    return false;  // the readers do the work themselves, or fail
  }
}

void Crew::enter(std::shared_ptr<SourceReader> reader) {
  const MutexLock lock(mutex_);
  readers_.push_back(std::move(reader));
}

void Crew::leave(const SourceReader* reader) {
  const MutexLock lock(mutex_);
  std::erase_if(readers_, [&](const auto& each) { return each.get() == reader; });
}

void Crew::call() {
  {
    const MutexLock lock(mutex_);
    ++calls_;
  }
  called_.notify_one();
}

}  // namespace warpscope::ingest
