#pragma once
// Runs a panel's jobs on another thread, one at a time. A newer request cancels the older one, and the window wakes up
// when the result is ready. The caller never waits. A cancelled job may take a while to stop; the next job waits until
// it does.
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/table.hpp"
#include "core/base/threads/caught.hpp"
#include "core/base/threads/mutex.hpp"

namespace warpscope::ui {

/// Returns the result of a job that threw an exception: the error if T can hold one, otherwise an empty result with the
/// error message in the field that panels display.
template <class T>
[[nodiscard]] T failed_result(const Error& error) {
  if constexpr (std::is_constructible_v<T, const Error&>) {
    return T(error);
  } else {
    T result{};
    if constexpr (requires { result.reason; }) result.reason = error.what;
    if constexpr (requires { result.note; }) result.note = error.what;
    if constexpr (std::is_same_v<T, std::vector<Table>>) result.push_back(failed_result<Table>(error));
    return result;
  }
}

template <class T>
class Background {
 public:
  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  /// Cancels the job and waits for it.
  ~Background() { stop(); }

  /// Runs `work` on another thread. `work` should check its token regularly and own its data, because it may still be
  /// running after stop() returns. If `work` throws, the result is failed_result(). `wake` is called from that thread
  /// when done, unless cancelled.
  void start(std::function<T(const CancelToken&)> work, std::function<void()> wake) {
    stop();
    job_ = std::make_unique<Job>();
    Job& job = *job_;
    job.thread =
        std::thread([&job, before = std::move(leaving_), work = std::move(work), wake = std::move(wake)]() mutable {
          before.reset();
          if (job.cancel.cancelled()) return;
          std::optional<T> result;
          try {
            result = work(job.cancel);
          } catch (...) {
            result = failed_result<T>(caught(""));
          }
          work = nullptr;
          {
            const MutexLock lock(job.mutex);
            if (job.cancel.cancelled()) return;
            job.result = std::move(result);
            job.done = true;
          }
          if (wake) wake();
        });
  }

  /// Returns the result once, when it is ready; nullopt otherwise.
  std::optional<T> take() {
    if (!job_) return std::nullopt;
    std::optional<T> result;
    {
      const MutexLock lock(job_->mutex);
      if (!job_->done) return std::nullopt;
      result = std::move(job_->result);
    }
    job_.reset();
    return result;
  }

  /// True until take() has returned the result.
  [[nodiscard]] bool running() const { return job_ != nullptr; }
  /// Cancels the job and discards its result.
  void stop() {
    if (!job_) return;
    {
      const MutexLock lock(job_->mutex);
      job_->cancel.cancel();
      job_->result.reset();
    }
    leaving_ = std::move(job_);
  }

 private:
  struct Job {
    CancelToken cancel;
    Mutex mutex;
    std::optional<T> result GUARDED_BY(mutex);
    bool done GUARDED_BY(mutex) = false;
    std::thread thread;

    ~Job() {
      if (thread.joinable()) thread.join();
    }
  };
  // At most one cancelled job: each job takes ownership of its predecessor and waits for it.
  std::unique_ptr<Job> leaving_;
  std::unique_ptr<Job> job_;
};

}  // namespace warpscope::ui
