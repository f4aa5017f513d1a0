#pragma once
// Runs one job at a time on another thread, for a panel. A newer request cancels the older one; the window is woken
// when the result is ready. The caller never waits: a cancelled job may take a while to stop, and the next one starts
// after it.
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/progress.hpp"

namespace warpscope::ui {

template <class T>
class Background {
 public:
  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  /// Cancels the job and waits for it.
  ~Background() { stop(); }

  /// Runs `work` on another thread. `work` should check its token regularly and own its data: it may still run after
  /// stop() has returned. `wake` is called from that thread when done, unless cancelled.
  void start(std::function<T(const CancelToken&)> work, std::function<void()> wake) {
    stop();
    job_ = std::make_unique<Job>();
    Job& job = *job_;
    job.thread =
        std::thread([&job, before = std::move(leaving_), work = std::move(work), wake = std::move(wake)]() mutable {
          before.reset();
          if (job.cancel.cancelled()) return;
          std::optional<T> result = work(job.cancel);
          work = nullptr;
          {
            const std::lock_guard lock(job.mutex);
            if (job.cancel.cancelled()) return;
            job.result = std::move(result);
            job.done = true;
          }
          if (wake) wake();
        });
  }

  /// Returns the result once, when ready.
  std::optional<T> take() {
    if (!job_) return std::nullopt;
    std::optional<T> result;
    {
      const std::lock_guard lock(job_->mutex);
      if (!job_->done) return std::nullopt;
      result = std::move(job_->result);
    }
    job_.reset();
    return result;
  }

  [[nodiscard]] bool running() const { return job_ != nullptr; }
  /// Cancels the job and discards its result.
  void stop() {
    if (!job_) return;
    {
      const std::lock_guard lock(job_->mutex);
      job_->cancel.cancel();
      job_->result.reset();
    }
    leaving_ = std::move(job_);
  }

 private:
  struct Job {
    CancelToken cancel;
    std::mutex mutex;
    std::optional<T> result;
    bool done = false;
    std::thread thread;

    ~Job() {
      if (thread.joinable()) thread.join();
    }
  };
  // At most one: each job takes over the one before it.
  std::unique_ptr<Job> leaving_;
  std::unique_ptr<Job> job_;
};

}  // namespace warpscope::ui
