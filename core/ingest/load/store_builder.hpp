#pragma once
// Fills a store with what was loaded: the ranks first, one by one, which is also how a limit of memory is kept (a rank
// that went into the store is shown from there); then the texts of their events, for which each source is read once
// more; then the store gets its name. A source that changed since it was read is left out.
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/store/reader.hpp"
#include "core/store/writer.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

class StoreBuilder {
 public:
  /// See StoreWriter::Options.
  struct Options {
    bool in_order = false;
    std::uint64_t most_bytes = 0;
  };
  /// Begins the store that is to be at `file`. `cancel` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<StoreBuilder>> create(const std::string& file,
                                                                    std::shared_ptr<trace::Dictionary> dictionary,
                                                                    const CancelToken& cancel, const Options& how);

  /// From now on a source that is another file by now is an Error instead of being left out.
  void insist() { insists_ = true; }

  // These may be called from several threads.

  /// Puts a rank that was read into the store; leaves it out if its source is another file by now. Errors: the store
  /// cannot be written.
  [[nodiscard]] Failure add(std::shared_ptr<const trace::Rank> rank);
  /// The same, to give its memory back: the rank as the store has it, or null if it was left out.
  [[nodiscard]] Result<std::shared_ptr<const trace::Rank>> exchange(const trace::Rank& rank);
  /// Takes source number `source` of another store over, its texts too. Errors: the store cannot be written; the other
  /// one is damaged, which is noted with it.
  [[nodiscard]] Failure copy(const store::StoreFile& from, std::size_t source);
  /// Notes that `file` was read and yields no rank.
  [[nodiscard]] Failure add_empty(const trace::SourceFile& file);
  /// Puts what a node measured into the store. Errors: it cannot be written.
  [[nodiscard]] Failure add_metrics(const trace::NodeMetrics& metrics) { return writer_->add_metrics(metrics); }
  /// Whether a rank of this file was added or copied.
  [[nodiscard]] bool has(const std::string& file) const;

  /// Adds the texts of the events of all ranks that were added, by `threads` threads, and gives the store its name.
  /// `progress` (may be null) gains the bytes of the sources as they are read. A source that cannot be read any more
  /// goes without texts, and a diagnostic in the store says so. Errors: the store cannot be written; cancelled. Once.
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
  [[nodiscard]] Failure archive(const Added& added, Progress* progress);

  std::unique_ptr<store::StoreWriter> writer_;
  std::shared_ptr<trace::Dictionary> dictionary_;
  const CancelToken& cancel_;
  bool insists_ = false;
  mutable std::mutex mutex_;  // guards everything below
  std::vector<Added> added_;
  std::vector<std::string> files_;
};

}  // namespace warpscope::ingest
