#pragma once
// Tracks a load's files and their progress, updated by readers and queried for display.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/natural_order.hpp"
#include "core/base/progress.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/format/read_options.hpp"
#include "core/ingest/load/load_status.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// The last read of a watched file. Reading time grows with the file, so a file that grows a little each second must
/// not be reread every second. A pause of five times the reading time limits the cost of following a file to a sixth of
/// a core; displayed data is never older than that pause.
struct LastRead {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLeastPause{2};
  static constexpr int kPauses = 5;  // times the reading time

  trace::SourceFile source;  ///< state before the read
  Clock::time_point end;
  Clock::duration took{};

  /// Returns whether to read the file again in its current state: never if this state was read, immediately if it is
  /// `settled`, otherwise after the pause.
  [[nodiscard]] bool due(const trace::SourceFile& now_at, bool settled, Clock::time_point now) const;
};

/// One file. Any holder of a job may change its atomics. `why` and `last_read` are guarded by SourceJobs;
/// `reader_state` is used by one reader at a time. Everything else is constant.
struct SourceJob {
  trace::SourceFile source;
  std::string name;          ///< relative to the opened path
  std::int64_t ordinal = 0;  ///< the fallback rank (see assumed_ranks.hpp)
  std::atomic<FileState> state{FileState::waiting};
  std::atomic<bool> from_store{false};
  std::atomic<bool> growing{false};
  std::atomic<bool> unfinished{false};  ///< the file is truncated
  std::atomic<bool> failed{false};      ///< skipped because of an exception: the next load may succeed
  Progress progress;
  std::string why;                                  ///< why it was skipped; guarded by SourceJobs
  std::optional<LastRead> last_read;                ///< guarded by SourceJobs
  std::shared_ptr<const ReaderState> reader_state;  ///< of the last read while watched; used by one reader at a time
};

class SourceJobs {
 public:
  /// `opened`: the opened path.
  explicit SourceJobs(std::filesystem::path opened) : opened_(std::move(opened)) {}
  /// Adds a job for `source`, replacing any earlier job with the same path but keeping its last read and reader state.
  std::shared_ptr<SourceJob> add(const trace::SourceFile& source, std::int64_t ordinal);
  [[nodiscard]] std::shared_ptr<SourceJob> find(const std::string& path) const;
  void remove(const std::string& path);
  /// Marks the file as skipped, with `why` as the reason.
  void pass_over(SourceJob& job, std::string why);
  void was_read(SourceJob& job, LastRead read);
  /// Returns whether to read a watched source now: true if it was never read; see LastRead::due().
  [[nodiscard]] bool due(const trace::SourceFile& source, bool settled) const;
  /// Adds the files and their total bytes to `status`.
  void write(LoadStatus& status) const;

 private:
  std::filesystem::path opened_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<SourceJob>, decltype(&natural_less)> jobs_ GUARDED_BY(mutex_){&natural_less};
};

}  // namespace warpscope::ingest
