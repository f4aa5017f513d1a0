#pragma once
// Loads the columns that a frame needed but did not find in memory (core/trace/resident_only.hpp), so drawing never
// waits for the disk. Its threads start on first use and sleep while no columns are requested. The window wakes up as
// columns arrive, but no more often than it can usefully redraw.
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {

class ColumnLoader {
 public:
  using Column = std::shared_ptr<const trace::Loadable>;
  static constexpr std::size_t kMostThreads = 4;
  static constexpr std::chrono::milliseconds kWakeEvery{30};

  /// `wake` requests a frame; called from other threads and from want().
  explicit ColumnLoader(std::function<void()> wake);
  /// Waits for loads in progress.
  ~ColumnLoader();
  ColumnLoader(const ColumnLoader&) = delete;
  ColumnLoader& operator=(const ColumnLoader&) = delete;

  /// Loads these columns in order, replacing those still queued from the previous call. Call after each frame with the
  /// columns that the frame missed. Columns that failed before are not retried.
  void want(const std::vector<Column>& columns) EXCLUDES(mutex_);
  /// True if columns from the last call to want() are still loading, so another frame will show more.
  [[nodiscard]] bool busy() const { return awaiting_; }
  /// Returns each out-of-memory error once.
  [[nodiscard]] std::optional<Error> take_error() EXCLUDES(mutex_);

 private:
  void start_threads(std::size_t count);
  void work() EXCLUDES(mutex_);
  /// Records the result of loading a column; returns true if the window should wake up.
  [[nodiscard]] bool take(const Column& column, Failure failure) REQUIRES(mutex_);
  [[nodiscard]] bool failed(const Column& column) const REQUIRES(mutex_);

  const std::function<void()> wake_;
  std::vector<std::thread> threads_;
  bool awaiting_ = false;
  bool no_threads_ = false;  // not a single thread could be started

  Mutex mutex_;
  Condition called_;
  std::vector<Column> waiting_ GUARDED_BY(mutex_);                  // the next one is the last
  std::vector<const trace::Loadable*> loading_ GUARDED_BY(mutex_);  // at most one per thread
  std::vector<std::weak_ptr<const trace::Loadable>> failed_ GUARDED_BY(mutex_);
  std::optional<Error> error_ GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point woken_ GUARDED_BY(mutex_){};
  bool ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace warpscope::ui
