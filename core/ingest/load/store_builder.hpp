#pragma once
// Fills a store with loaded data. Adds ranks one at a time; once a rank is in the store, its copy in memory can be
// freed to stay under the memory limit. Then rereads each source to add the event text. Finally, renames the store into
// place. Skips sources that changed since they were read.
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/store/reader.hpp"
#include "core/store/writer.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

class StoreBuilder {
 public:
  /// Starts a store at the path `file`. `options` must contain a cancel token.
  [[nodiscard]] static Result<std::unique_ptr<StoreBuilder>> create(const std::string& file,
                                                                    std::shared_ptr<trace::Dictionary> dictionary,
                                                                    const store::StoreWriter::Options& options);

  /// After this call, treats changed sources as Errors instead of skipping them.
  void insist() { insists_ = true; }

  // The functions below are thread-safe, except finish().

  /// Adds a rank to the store; skips it if its source changed. Errors: the store cannot be written.
  [[nodiscard]] Failure add(std::shared_ptr<const trace::Rank> rank);
  /// Same as add(), but returns the stored rank, so the caller can free the original; null if it was skipped.
  [[nodiscard]] Result<std::shared_ptr<const trace::Rank>> exchange(const trace::Rank& rank);
  /// Copies source number `source` from another store, including its text. Errors: the store cannot be written; the
  /// other store is corrupt (also recorded in that store).
  [[nodiscard]] Failure copy(const store::StoreFile& from, std::size_t source);
  /// Records that `file` was read and contains no rank.
  [[nodiscard]] Failure add_empty(const trace::SourceFile& file);
  /// Adds a node's metrics to the store. Errors: the store cannot be written.
  [[nodiscard]] Failure add_metrics(const trace::NodeMetrics& metrics) { return writer_->add_metrics(metrics); }
  /// Returns whether a rank of this file was added or copied.
  [[nodiscard]] bool has(const std::string& file) const;

  /// Adds the event text of all added ranks, using `threads` threads, and renames the store into place. `progress` (may
  /// be null) advances by the source bytes read. For sources that can no longer be read, stores a diagnostic instead of
  /// the text. Errors: the store cannot be written; the operation was cancelled. Call once.
  [[nodiscard]] Failure finish(const std::string& root, const Diagnostics& diagnostics, unsigned threads = 1,
                               Progress* progress = nullptr);

 private:
  struct Added {
    std::size_t source = 0;
    std::shared_ptr<const trace::Rank> rank;
  };
  StoreBuilder(std::unique_ptr<store::StoreWriter> writer, std::shared_ptr<trace::Dictionary> dictionary,
               const CancelToken& cancel);
  [[nodiscard]] Result<std::shared_ptr<const trace::Rank>> put(const trace::Rank& rank,
                                                               std::shared_ptr<const trace::Rank> kept);
  [[nodiscard]] Failure archive(std::span<const Added> added, Progress* progress);

  std::unique_ptr<store::StoreWriter> writer_;
  std::shared_ptr<trace::Dictionary> dictionary_;
  const CancelToken& cancel_;
  bool insists_ = false;
  mutable Mutex mutex_;
  std::vector<Added> added_ GUARDED_BY(mutex_);
  std::vector<std::string> files_ GUARDED_BY(mutex_);
};

}  // namespace warpscope::ingest
