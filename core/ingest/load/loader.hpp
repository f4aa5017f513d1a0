#pragma once
// Manages an open path, from file discovery until it is closed. A load takes ranks from an earlier store, reads the
// rest on several threads, and publishes each rank when it is ready, so the window can show some ranks while others
// load. After the load, the loader writes the store, follows growing files, and frees memory above the limit.
//
// This class manages the life cycle; SourceLoader (files), MemoryLimiter, LoadStore and LoadWatch do the work and share
// a LoadContext.
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/load/load_context.hpp"
#include "core/ingest/load/load_store.hpp"
#include "core/ingest/load/load_watch.hpp"
#include "core/ingest/load/memory_limiter.hpp"
#include "core/ingest/load/source_loader.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

class Loader {
 public:
  /// Starts loading immediately. `path`: a file, a directory, a converted profile, or one of these on another machine.
  /// If not watched, also a directory that contains only a converted profile or the shards of one.
  explicit Loader(std::string path, LoadOptions options = {});
  /// Cancels the load and waits; abandons any store being written.
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// Returns the latest profile; nullptr until the first rank is loaded. It changes while loading, while watching, and
  /// when ranks are unloaded to the store.
  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const { return load_.publisher.profile(); }
  /// Returns the lookup object for event arguments, which may outlive the loader.
  [[nodiscard]] std::shared_ptr<const EventLookup> events() const { return load_.events; }
  [[nodiscard]] LoadStatus status() const;
  /// Returns true once the load is over; watching may continue.
  [[nodiscard]] bool finished() const { return load_.control.finished(); }
  /// Returns the error if the load finished and nothing could be read. Watching may clear it.
  [[nodiscard]] Failure failure() const;

  /// Stops reading and watching. Keeps the loaded data; a diagnostic in the profile reports that the rest is missing.
  void cancel() { load_.control.cancel(); }
  /// Turns watching for new and growing files on or off. No-op for a converted profile, because it does not change.
  void watch(bool on);
  /// Waits until finished().
  void wait() { load_.control.wait_until_finished(); }
  /// Reads the traces again if their store was found corrupt since it was opened. profile() then returns a new profile.
  /// Call once finished() is true; the loader itself also does this every second.
  void mend();
  /// Writes the loaded data to a store at `file`, with the text of all events, on all threads. Call once
  /// finished() is true and watching is off. `progress` (may be null) advances by the source bytes read. Errors:
  /// nothing is loaded, `file` cannot be written, cancelled via `cancel`, data to copy from a converted profile is
  /// corrupt, a source changed since it was found.
  [[nodiscard]] Failure save(const std::string& file, const CancelToken& cancel, Progress* progress = nullptr);
  /// Returns any corruption found in the converted profile since it was opened; nothing for other sources.
  [[nodiscard]] Failure damage_of_converted() const;
  /// Saves to the store that the next load of the same path will use. If the data was loaded from that store, first
  /// checks the entire store (opening it does not). Writes nothing if the store is valid; otherwise reads the traces
  /// again. Without `check`, does not check. Slow, so call it after the data is shown and finished() is true.
  /// Errors: those of save(), including a full disk or a read-only folder.
  [[nodiscard]] Result<Kept> keep(const CancelToken& cancel, Progress* progress = nullptr, bool check = true);

 private:
  void run();
  void load();
  void load_remote();
  void add_jobs(const std::vector<trace::SourceFile>& sources);
  void look_at_cost(const std::vector<trace::SourceFile>& sources);
  void attend();
  [[nodiscard]] Failure write(const std::string& file, bool whole, const CancelToken& cancel, Progress* progress);

  LoadContext load_;
  std::atomic<std::shared_ptr<RemoteHost>> remote_;
  MemoryLimiter memory_{load_};
  SourceLoader sources_{load_, memory_};
  LoadStore store_{load_, sources_, memory_};
  LoadWatch watch_{load_, sources_};

  // Held during maintenance and by callers that query the loader. Locked before the other mutexes.
  mutable Mutex house_ ACQUIRED_BEFORE(mutex_);
  mutable Mutex mutex_;
  std::optional<Preflight> expected_ GUARDED_BY(mutex_);
  Failure failure_ GUARDED_BY(mutex_);
  double seconds_ GUARDED_BY(mutex_) = 0;

  std::thread thread_;  // last, because it uses all of the above
};

}  // namespace warpscope::ingest
