#pragma once
// A group of threads that read files: each file is read by one thread, and threads without a file help the others.
// Threads help with open files before starting another, so only a few half-read files are in memory.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/read/source_reader.hpp"

namespace warpscope::ingest {

class Crew {
 public:
  /// Runs job(0) … job(count - 1), started in this order, on `threads` (> 0) threads; returns when all are done. While
  /// waiting, calls tick() periodically on this thread. If a job throws, calls failed(job number, error) on the
  /// job's thread; the other jobs continue. failed() must not throw; its Error has no `where`. If the system cannot
  /// create a thread, fewer threads do the work.
  void run(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job,
           const std::function<void()>& tick, const std::function<void(std::size_t, const Error&)>& failed);

  /// Lets other threads help `reader` until leave(). Call from within a job.
  void enter(std::shared_ptr<SourceReader> reader);
  void leave(const SourceReader* reader);
  /// Wakes an idle thread, because there may be work to help with. Thread-safe.
  void call();

 private:
  struct Batch {
    std::size_t count;
    const std::function<void(std::size_t)>& job;
    const std::function<void(std::size_t, const Error&)>& failed;
  };
  void work(const Batch& batch);
  bool help();

  Mutex mutex_;
  Condition called_;
  Condition finished_;
  std::vector<std::shared_ptr<SourceReader>> readers_ GUARDED_BY(mutex_);  // oldest first
  std::size_t next_job_ GUARDED_BY(mutex_) = 0;
  std::size_t jobs_left_ GUARDED_BY(mutex_) = 0;
  std::size_t threads_left_ GUARDED_BY(mutex_) = 0;
  std::uint64_t calls_ GUARDED_BY(mutex_) = 0;
};

}  // namespace warpscope::ingest
