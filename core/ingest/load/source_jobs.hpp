#pragma once
// Tracks a load's files and their progress, updated by readers and queried for display.
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
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

/// One file. Any holder of a job may change its atomics. `why` and `merged` are guarded by SourceJobs; `reader_state`
/// is used by one reader at a time. Everything else is constant.
struct SourceJob {
  trace::SourceFile source;
  std::string name;          ///< relative to the opened path
  std::int64_t ordinal = 0;  ///< the fallback rank (see assumed_ranks.hpp)
  std::atomic<FileState> state{FileState::waiting};
  std::atomic<bool> from_store{false};
  std::atomic<bool> growing{false};
  std::atomic<bool> unfinished{false};  ///< the file is truncated
  std::atomic<bool> partly{false};      ///< cancelled, with a partial rank
  std::atomic<bool> failed{false};      ///< skipped because of an exception: the next load may succeed
  Progress progress;
  std::string why;                                  ///< why it was skipped; guarded by SourceJobs
  std::string merged;                               ///< its ranks, if it has several; guarded by SourceJobs
  std::shared_ptr<const ReaderState> reader_state;  ///< of the last read while watched; used by one reader at a time
};

class SourceJobs {
 public:
  /// `opened`: the opened path.
  explicit SourceJobs(std::filesystem::path opened) : opened_(std::move(opened)) {}
  /// Adds a job for `source`, replacing any earlier job with the same path but keeping its reader state.
  std::shared_ptr<SourceJob> add(const trace::SourceFile& source, std::int64_t ordinal);
  [[nodiscard]] std::shared_ptr<SourceJob> find(const std::string& path) const;
  void remove(const std::string& path);
  /// Marks the file as skipped, with `why` as the reason.
  void pass_over(SourceJob& job, std::string why);
  /// Records the ranks that were loaded from the file.
  void has_ranks(SourceJob& job, const std::vector<std::shared_ptr<const trace::Rank>>& ranks);
  /// Adds the files and their total bytes to `status`.
  void write(LoadStatus& status) const;

 private:
  std::filesystem::path opened_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<SourceJob>, decltype(&natural_less)> jobs_ GUARDED_BY(mutex_){&natural_less};
};

}  // namespace warpscope::ingest
