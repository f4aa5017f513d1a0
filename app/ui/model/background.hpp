#pragma once
// One piece of work at a time on another thread, for a panel: a newer request cancels the older one, the result is
// there when it is done, and the window is woken for it. The caller never waits: what is cancelled may take a while to
// notice, and the next piece begins after it.
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
  /// Cancels and waits.
  ~Background() { stop(); }

  /// Runs `work` elsewhere; it should look at its token now and then, and own what it uses: it may still run when
  /// stop() has returned. `wake` is called from there when it is done, unless it was cancelled.
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

  /// The result, once, when it is done.
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
  /// Cancels it; nothing will come of it.
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
  // There is a leaving one only while there is no other: each job takes the one before it along.
  std::unique_ptr<Job> leaving_;
  std::unique_ptr<Job> job_;
};

}  // namespace warpscope::ui
