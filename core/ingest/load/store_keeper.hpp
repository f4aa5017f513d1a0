#pragma once
// Manages the open path's store. The store is looked up when the path is opened and written after reading, on a
// low-priority thread in the background. If stopped, the thread removes the half-written file.
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/ingest/load/known_sources.hpp"
#include "core/ingest/load/load_options.hpp"
#include "core/ingest/load/store_builder.hpp"
#include "core/store/cache.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::ingest {

/// Contents of a store.
struct StoreContents {
  struct Stored {
    store::StoreFile file;
    std::size_t source = 0;
  };
  std::string root;
  Diagnostics diagnostics;
  std::vector<std::shared_ptr<const trace::Rank>> ranks;  ///< ranks that were read
  std::vector<Stored> stored;                             ///< ranks in another store
  std::vector<trace::SourceFile> empty;                   ///< sources without a rank
  std::vector<std::shared_ptr<const trace::NodeMetrics>> metrics;
};

/// Adds missing data to `builder` and finishes it. Errors: those of StoreBuilder. Does not throw; exceptions are
/// returned as Errors. `threads`: > 0.
[[nodiscard]] Failure write_store(StoreBuilder& builder, const StoreContents& contents, unsigned threads,
                                  const CancelToken& cancel, Progress* progress = nullptr);

class StoreKeeper {
 public:
  StoreKeeper(const StoreOptions& options, const std::filesystem::path& opened);
  /// Stops writing.
  ~StoreKeeper();
  StoreKeeper(const StoreKeeper&) = delete;
  StoreKeeper& operator=(const StoreKeeper&) = delete;

  /// Returns the store's contents if it exists and is usable. Deletes a corrupt store; keeps a store with another
  /// version until the next store replaces it. Both set `damage`.
  [[nodiscard]] std::optional<KnownSources> open(Failure& damage);
  /// Deletes the store. Ranks loaded from it keep its file open.
  void remove() const;

  /// Returns a builder for ranks that do not fit in memory; its output later becomes the store. Errors: the store
  /// cannot be created.
  [[nodiscard]] Result<StoreBuilder*> spill(std::uint64_t text_bytes, std::shared_ptr<trace::Dictionary> dictionary);

  /// Returns the path of the open path's store, whether or not it exists; "" if there is no folder for stores.
  [[nodiscard]] std::string place() const { return place_.string(); }
  /// Makes room for the open path's store and returns the store's path. Errors: the folder for stores cannot be
  /// created, or the disk is full.
  [[nodiscard]] Result<std::string> make_room(std::uint64_t text_bytes) const;
  /// Returns the combined size limit for all stores, in bytes.
  [[nodiscard]] std::uint64_t limit() const { return cache_.limit(); }
  /// Enforces the limit again after a store is written.
  void tidy() const { cache_.tidy(); }
  /// Starts writing the store with the ranks that spill() collected. Stops an earlier write, if any. `done` is called
  /// on the writing thread with any failure, but not after stop().
  void keep(StoreContents contents, std::uint64_t text_bytes, std::shared_ptr<trace::Dictionary> dictionary,
            std::function<void(const Failure&)> done);
  /// Stops writing. Returns within 100 ms.
  void stop();
  [[nodiscard]] bool keeping() const { return keeping_; }

 private:
  [[nodiscard]] Failure begin(std::uint64_t text_bytes, std::shared_ptr<trace::Dictionary> dictionary);

  StoreOptions options_;
  store::Cache cache_;
  std::filesystem::path place_;
  std::unique_ptr<CancelToken> cancel_;  // referenced by the builder
  std::unique_ptr<StoreBuilder> builder_;
  std::atomic<bool> keeping_{false};
  std::thread thread_;
};

}  // namespace warpscope::ingest
