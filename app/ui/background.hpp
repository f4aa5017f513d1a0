#pragma once
// One piece of work at a time on another thread, for a panel: a newer request cancels the older one, the result is
// there when it is done, and the window is woken for it.
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

  /// Runs `work` elsewhere; it should look at its token now and then. `wake` is called from there when it is done.
  void start(std::function<T(const CancelToken&)> work, std::function<void()> wake) {
    stop();
    job_ = std::make_unique<Job>();
    Job& job = *job_;
    job.thread = std::thread([&job, work = std::move(work), wake = std::move(wake)] {
      T result = work(job.cancel);
      {
        const std::lock_guard lock(job.mutex);
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
    stop();
    return result;
  }

  [[nodiscard]] bool running() const { return job_ != nullptr; }
  void stop() {
    if (!job_) return;
    job_->cancel.cancel();
    if (job_->thread.joinable()) job_->thread.join();
    job_.reset();
  }

 private:
  struct Job {
    CancelToken cancel;
    std::mutex mutex;
    std::optional<T> result;
    bool done = false;
    std::thread thread;
  };
  std::unique_ptr<Job> job_;
};

}  // namespace warpscope::ui
