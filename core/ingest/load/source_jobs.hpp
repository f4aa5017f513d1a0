#pragma once
// The files of a load and how far each one is: written by whoever reads them, asked by whoever shows it.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/base/progress.hpp"
#include "core/ingest/load/load_options.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// One file. Whoever holds it may change the atomics; the rest stays, but for `why`.
struct SourceJob {
  trace::SourceFile source;
  std::int64_t ordinal = 0;         ///< position among the files of the directory: the rank of last resort
  std::uint64_t metrics_files = 0;  ///< not of a trace but of so many files of system metrics
  std::atomic<FileState> state{FileState::waiting};
  std::atomic<bool> from_store{false};
  std::atomic<bool> growing{false};
  std::atomic<bool> unfinished{false};  ///< its end is missing
  std::atomic<bool> partly{false};      ///< cancelled, and there is a rank
  Progress progress;
  std::string why;  ///< it was passed over; of SourceJobs
};

class SourceJobs {
 public:
  /// A job for `source`, in place of an earlier one of the same path.
  std::shared_ptr<SourceJob> add(const trace::SourceFile& source, std::int64_t ordinal);
  /// The same for the system metrics of a node: `files` files, `source` with their common pattern and all their bytes.
  std::shared_ptr<SourceJob> add_metrics(const trace::SourceFile& source, std::uint64_t files);
  [[nodiscard]] std::shared_ptr<SourceJob> find(const std::string& path) const;
  void remove(const std::string& path);
  /// There is nothing in the file, and `why`.
  void pass_over(SourceJob& job, std::string why);
  /// Adds the files and the sums of their bytes.
  void write(LoadStatus& status) const;

 private:
  struct Order {
    bool operator()(const std::string& a, const std::string& b) const;
  };
  std::shared_ptr<SourceJob> put(std::shared_ptr<SourceJob> job);

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<SourceJob>, Order> jobs_;
};

}  // namespace warpscope::ingest
