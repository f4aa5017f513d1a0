#pragma once
// State shared by the parts of a load: files and their progress, the published profile, errors, and the store that
// supplies ranks.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/rate.hpp"
#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/listing/discover.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/ingest/load/known_sources.hpp"
#include "core/ingest/load/load_control.hpp"
#include "core/ingest/load/load_options.hpp"
#include "core/ingest/load/load_status.hpp"
#include "core/ingest/load/publisher.hpp"
#include "core/ingest/load/source_jobs.hpp"
#include "core/ingest/load/store_keeper.hpp"
#include "core/ingest/remote/remote_host.hpp"

namespace warpscope::ingest {

class LoadContext {
 public:
  using Clock = std::chrono::steady_clock;

  LoadContext(std::string path_to_open, LoadOptions how);

  const std::string path;
  const LoadOptions options;
  LoadControl control;
  Publisher publisher;
  SourceJobs jobs;
  const std::shared_ptr<EventLookup> events = std::make_shared<EventLookup>();
  StoreKeeper keeper;

  // Used by the loader's thread and, while it reads, by its crew.
  std::optional<KnownSources> known;          ///< the store in the cache that supplies ranks
  std::vector<store::StoreFile> converted{};  ///< the opened profile, if it is a store, or its shards
  Discovery found;

  std::atomic<bool> opened_store{false};   ///< the open path is a store
  std::atomic<bool> read_anything{false};  ///< something worth keeping has been read since the store was saved
  std::atomic<bool> away{false};           ///< the opened path is not accessible

  void changed() const;
  /// Updates the progress and publishes if due. Call regularly while files are read.
  void tick();
  /// Publishes the profile. The profile is complete unless a watched trace is growing or truncated, or loading was
  /// stopped. Growing metrics are ignored, because a running job's metrics always grow.
  void publish() { publisher.publish(nothing_more()); }
  [[nodiscard]] bool nothing_more() const;
  /// Shows what is awaited of another machine; nullopt once nothing is.
  void await(std::optional<RemoteProgress> progress);
  /// Passes a scan's diagnostics and job descriptions to the publisher.
  void publish_scan(const Discovery& scan);

  void fail(const std::string& file, const Error& error);
  void forget_error(const std::string& file);
  /// Calls `work` and reports any exception, because an uncaught exception on the loader's thread would terminate the
  /// program.
  void survive(const std::function<void()>& work);
  /// Returns why there is nothing to show.
  [[nodiscard]] Error why_nothing() const;

  [[nodiscard]] unsigned most_threads() const;
  /// Returns the total text size of all ranks, in bytes.
  [[nodiscard]] std::uint64_t text_bytes() const;
  [[nodiscard]] double seconds() const;
  /// Sets the status fields that the context tracks.
  void write(LoadStatus& status) const;

 private:
  const Clock::time_point began_ = Clock::now();
  mutable Mutex mutex_;
  Rate rate_ GUARDED_BY(mutex_);
  std::optional<RemoteProgress> awaited_ GUARDED_BY(mutex_);
  std::map<std::string, Error> errors_ GUARDED_BY(mutex_);  // by file
};

}  // namespace warpscope::ingest
