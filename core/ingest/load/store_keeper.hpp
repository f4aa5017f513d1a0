#pragma once
// The store of what is open: found when it is opened, written when it was read. Writing goes on in a thread of the
// lowest priority that nobody waits for; it stops when it is told to, and what is half-written is gone.
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

/// Everything that goes into a store.
struct StoreContents {
  struct Stored {
    store::StoreFile file;
    std::size_t source = 0;
    /// Reads the source itself, for when the store turns out damaged; null if it is not there any more. Empty where the
    /// store is all there is.
    std::function<std::shared_ptr<const trace::Rank>(const CancelToken&)> read_again;
  };
  std::string root;
  Diagnostics diagnostics;
  std::vector<std::shared_ptr<const trace::Rank>> ranks;  ///< that were read
  std::vector<Stored> stored;                             ///< that another store has
  std::vector<trace::SourceFile> empty;                   ///< that yield no rank
  std::vector<std::shared_ptr<const trace::NodeMetrics>> metrics;
};

/// Puts what `builder` does not have yet into it and finishes it. What comes from another store is checked; what is
/// damaged there is read again, or is an Error. `threads`: > 0.
[[nodiscard]] Failure write_store(StoreBuilder& builder, const StoreContents& contents, unsigned threads,
                                  const CancelToken& cancel, Progress* progress = nullptr);

/// Follows what is wrong with a store that was moved out of the way.
inline constexpr const char* kSetAside = "; it is set aside as the same name with .damaged";

class StoreKeeper {
 public:
  StoreKeeper(const StoreOptions& options, const std::filesystem::path& opened);
  /// Stops.
  ~StoreKeeper();
  StoreKeeper(const StoreKeeper&) = delete;
  StoreKeeper& operator=(const StoreKeeper&) = delete;

  /// What the store has, if there is one and it may be used. A damaged one is set aside, one of another version stays
  /// until the next takes its place: then `damage` says why.
  [[nodiscard]] std::optional<KnownSources> open(Failure& damage);
  /// Sets the store that open() gave aside.
  void set_aside();

  /// A builder for ranks that memory has no room for, which later become the store. Errors: there is no place for it.
  [[nodiscard]] Result<StoreBuilder*> spill(std::uint64_t text_bytes, std::shared_ptr<trace::Dictionary> dictionary);

  /// Where the store of what is open is, or would be; "" if there is no place for it.
  [[nodiscard]] std::string place() const { return place_.string(); }
  /// The file for the store of what is open, once there is room for it. Errors: there is no place for it.
  [[nodiscard]] Result<std::string> make_room(std::uint64_t text_bytes) const;
  /// What all stores together may take, in bytes.
  [[nodiscard]] std::uint64_t limit() const { return cache_.limit(); }
  /// Holds the limit again after a store was written.
  void tidy() const { cache_.tidy(); }
  /// Begins to write, with what spill() has taken in. One at a time: stops an earlier one. `done` is called from the
  /// thread with what went wrong, but not after stop().
  void keep(StoreContents contents, std::uint64_t text_bytes, std::shared_ptr<trace::Dictionary> dictionary,
            std::function<void(const Failure&)> done);
  /// Answers within 100 ms.
  void stop();
  [[nodiscard]] bool keeping() const { return keeping_; }

 private:
  [[nodiscard]] Failure begin(std::uint64_t text_bytes, std::shared_ptr<trace::Dictionary> dictionary);

  StoreOptions options_;
  store::Cache cache_;
  std::filesystem::path place_;
  std::optional<store::StoreInUse> in_use_;
  std::unique_ptr<CancelToken> cancel_;  // of the builder, which refers to it
  std::unique_ptr<StoreBuilder> builder_;
  std::atomic<bool> keeping_{false};
  std::thread thread_;
};

}  // namespace warpscope::ingest
