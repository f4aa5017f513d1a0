#include "core/ingest/read/crew.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace warpscope::ingest {

namespace {

constexpr auto kTickEvery = std::chrono::milliseconds(40);

}  // namespace

void Crew::run(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job,
               const std::function<void()>& tick) {
  std::vector<std::thread> crew;
  std::unique_lock lock(mutex_);
  next_job_ = 0;
  jobs_left_ = count;
  threads_left_ = count > 0 ? threads : 0;
  for (std::size_t i = 0; i < threads_left_; ++i) crew.emplace_back([this, count, &job] { work(count, job); });
  while (!finished_.wait_for(lock, kTickEvery, [&] { return threads_left_ == 0; })) {
    lock.unlock();
    tick();
    lock.lock();
  }
  lock.unlock();
  for (std::thread& thread : crew) thread.join();
}

void Crew::work(std::size_t count, const std::function<void(std::size_t)>& job) {
  std::unique_lock lock(mutex_);
  while (jobs_left_ > 0) {
    const std::uint64_t calls = calls_;
    lock.unlock();
    const bool helped = help();
    lock.lock();
    if (helped) continue;
    if (next_job_ < count) {
      const std::size_t mine = next_job_++;
      lock.unlock();
      job(mine);
      lock.lock();
      if (--jobs_left_ == 0) called_.notify_all();
    } else {
      called_.wait(lock, [&] { return calls_ != calls || jobs_left_ == 0; });
    }
  }
  if (--threads_left_ == 0) finished_.notify_all();
}

bool Crew::help() {
  std::vector<std::shared_ptr<SourceReader>> readers;
  {
    const std::lock_guard lock(mutex_);
    readers = readers_;
  }
  return std::any_of(readers.begin(), readers.end(), [](const auto& reader) { return reader->help(); });
}

void Crew::enter(std::shared_ptr<SourceReader> reader) {
  const std::lock_guard lock(mutex_);
  readers_.push_back(std::move(reader));
}

void Crew::leave(const SourceReader* reader) {
  const std::lock_guard lock(mutex_);
  std::erase_if(readers_, [&](const auto& each) { return each.get() == reader; });
}

void Crew::call() {
  {
    const std::lock_guard lock(mutex_);
    ++calls_;
  }
  called_.notify_one();
}

}  // namespace warpscope::ingest
