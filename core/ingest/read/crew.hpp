#pragma once
// Threads that read files together: each file is read by one of them, and whoever has none to read helps those who
// have. A thread helps before it begins another file, so that few files are in memory half-read.
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/ingest/read/source_reader.hpp"

namespace warpscope::ingest {

class Crew {
 public:
  /// Runs job(0) … job(count - 1), begun in this order, on `threads` (> 0) threads; returns when all are done.
  /// Meanwhile calls tick() now and then from this thread.
  void run(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job,
           const std::function<void()>& tick);

  /// From within a job: others may help `reader` until leave().
  void enter(std::shared_ptr<SourceReader> reader);
  void leave(const SourceReader* reader);
  /// There may be something to help with: wakes a thread that has nothing to do. From any thread.
  void call();

 private:
  void work(std::size_t count, const std::function<void(std::size_t)>& job);
  bool help();

  std::mutex mutex_;  // guards everything below
  std::condition_variable called_;
  std::condition_variable finished_;
  std::vector<std::shared_ptr<SourceReader>> readers_;  // the oldest first
  std::size_t next_job_ = 0;
  std::size_t jobs_left_ = 0;
  std::size_t threads_left_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace warpscope::ingest
