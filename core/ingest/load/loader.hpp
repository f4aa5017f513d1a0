#pragma once
// An open path, from finding its files until it is closed. A load takes ranks from an earlier store, reads the rest
// on several threads, and publishes each rank as it arrives, so that the window can show ranks while others load. After
// the load, the loader writes the store, follows growing files, and frees memory above the limit.
//
//   loader.cpp        life cycle: the load, then maintenance until it is closed
//   loader_read.cpp   one file: from the store, else read; written to the store at once if memory is short
//   loader_attend.cpp watching, the memory limit, keeping the store
//
// The parts it uses: Publisher (ranks → profile), SourceJobs (progress), Crew and SourceReader (reading), StoreKeeper
// (the store), EventLookup (arguments), DirectoryWatch and RereadPolicy (changes), Residency (what to unload).
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/base/process_memory.hpp"
#include "core/base/progress.hpp"
#include "core/base/rate.hpp"
#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/listing/directory_watch.hpp"
#include "core/ingest/listing/reread_policy.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/ingest/load/load_options.hpp"
#include "core/ingest/load/publisher.hpp"
#include "core/ingest/load/residency.hpp"
#include "core/ingest/load/source_jobs.hpp"
#include "core/ingest/load/store_keeper.hpp"
#include "core/ingest/read/crew.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

class Loader {
 public:
  /// Starts at once. `path`: a file, a directory, or a converted profile; also a directory that contains only a
  /// converted profile, unless watched.
  explicit Loader(std::string path, LoadOptions options = {});
  /// Cancels and waits; abandons a store that is being written.
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// Returns the latest profile; nullptr until the first rank is loaded. It changes while loading, while watching, and
  /// when ranks are unloaded to the store.
  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const { return publisher_.profile(); }
  /// Returns the source of arguments. It may outlive the loader.
  [[nodiscard]] std::shared_ptr<const EventLookup> events() const { return events_; }
  [[nodiscard]] LoadStatus status() const;
  /// Returns true once the load is over; watching may continue.
  [[nodiscard]] bool finished() const { return finished_.load(std::memory_order_acquire); }
  /// Set if the load finished and nothing could be read: what failed, where, what to do. Watching may clear it.
  [[nodiscard]] Failure failure() const;

  /// Stops reading and watching. Loaded data stays; a diagnostic in the profile reports that the rest is missing.
  void cancel();
  /// Turns watching for new and growing files on or off. No-op for a converted profile, which does not change.
  void watch(bool on);
  /// Waits until finished().
  void wait();
  /// Rereads from unchanged traces the parts of a store found corrupt since it was opened; profile() then returns a new
  /// one. Ranks still in trace::damage_of cannot be read from anywhere. Call once finished; the loader also does this
  /// every second.
  void mend();
  /// Writes the loaded data to a store at `file`, with the text of all events, on all threads. Call once finished and
  /// not watching. `progress` (may be null) is advanced by bytes of the sources. Errors: nothing is loaded, `file`
  /// cannot be written, `cancel` was cancelled, data to copy from a converted profile is corrupt, a source changed
  /// since it was found.
  [[nodiscard]] Failure save(const std::string& file, const CancelToken& cancel, Progress* progress = nullptr) const;
  /// Returns corruption found in the open converted profile since it was opened; nothing for other sources.
  [[nodiscard]] Failure damage_of_converted() const;
  /// Saves to the location where the next load of the same path looks. If the data was loaded from there, first checks
  /// the entire store, which opening does not do. Writes nothing if it is valid; otherwise rereads the corrupt parts as
  /// mend() does. Slow: call after the data is shown, once finished. Errors: as save(), including the folder that is
  /// full or not writable.
  [[nodiscard]] Result<Kept> keep(const CancelToken& cancel, Progress* progress = nullptr);

 private:
  using Clock = std::chrono::steady_clock;

  // loader.cpp
  void run();
  void load();
  void load_store(const std::string& file);
  [[nodiscard]] Failure write(const std::string& file, bool whole, const CancelToken& cancel, Progress* progress) const;
  void fail(const Error& error);
  void survive(const std::function<void()>& work);
  void note_failed(const Error& error);
  void read_job(const Discovery& found);
  void read_stored_metrics();
  void look_at_cost(const std::vector<trace::SourceFile>& sources);
  [[nodiscard]] Error why_nothing() const REQUIRES(mutex_);
  [[nodiscard]] Result<std::string> check_kept(const CancelToken& cancel);
  void changed();
  void tick();

  // loader_read.cpp
  void take(const std::vector<trace::SourceFile>& sources, bool growing_known);
  void take_one(SourceJob& job, bool growing);
  bool take_from_store(SourceJob& job);
  void read(SourceJob& job, bool growing);
  void add(std::shared_ptr<const trace::Rank> rank);
  void drop(const trace::SourceFile& source, const Error& error);
  [[nodiscard]] unsigned most_threads() const;
  [[nodiscard]] unsigned useful_threads(const std::vector<trace::SourceFile>& sources) const;

  // loader_attend.cpp
  void attend();
  void look_again() REQUIRES(house_);
  [[nodiscard]] bool nothing_more() const;
  std::uint64_t give_back() REQUIRES(house_);
  void note_no_place(const Error& error);
  void note_memory(std::uint64_t ranks);
  void note_not_held(const std::string& what, std::uint64_t needed);
  void check_stores() REQUIRES(house_);
  void note_damage_of_converted(const Error& damage, bool mended);
  void keep_store_if_due() REQUIRES(house_);
  void begin_spilling(std::uint64_t text_bytes);
  void spill_the_rest();
  [[nodiscard]] std::function<std::shared_ptr<const trace::Rank>(const CancelToken&)> reader_of(
      const SourceJob& job) const;
  [[nodiscard]] StoreContents contents() const;
  [[nodiscard]] std::uint64_t text_bytes() const;

  std::string path_;
  LoadOptions options_;
  Clock::time_point began_;
  Publisher publisher_;
  SourceJobs jobs_;
  std::shared_ptr<EventLookup> events_ = std::make_shared<EventLookup>();
  StoreKeeper keeper_;
  Crew crew_;
  unsigned threads_ = 1;
  std::atomic<bool> finished_{false};

  // Used by the loader's thread and, while it reads, by its crew.
  std::optional<KnownSources> known_;
  Discovery found_;
  std::map<std::string, std::shared_ptr<const trace::NodeMetrics>> stored_metrics_;  // by source, during the load
  bool store_is_aside_ = false;                // known_ was found corrupt and was moved aside
  std::atomic<bool> opened_store_{false};      // the open path is a store
  std::atomic<bool> kept_{false};              // a store was written
  std::atomic<StoreBuilder*> spill_{nullptr};  // destination of ranks
  Mutex spilling_ ACQUIRED_BEFORE(mutex_);     // held while spilling starts
  bool cannot_spill_ GUARDED_BY(spilling_) = false;
  std::atomic<std::uint64_t> in_memory_{0};  // bytes of ranks that are not in a store
  std::atomic<std::uint64_t> most_held_{0};  // peak bytes of ranks held while reading
  ProcessMemory before_;                     // at the start of the load
  bool not_held_ = false;                    // the limit was exceeded and this was reported
  std::optional<DirectoryWatch> watch_;
  RereadPolicy policy_;
  Residency residency_;
  std::atomic<bool> away_{false};                 // the opened path is not accessible
  bool read_anything_ = false;                    // something worth keeping was read since the store was kept
  std::optional<Clock::time_point> quiet_since_;  // none: nothing changed since the load

  // Held during maintenance and by callers who query the loader, which then lock the others.
  mutable Mutex house_ ACQUIRED_BEFORE(spilling_, mutex_);

  mutable Mutex mutex_;  // locked before those of the publisher
  Condition news_;
  std::shared_ptr<CancelToken> cancel_ GUARDED_BY(mutex_) = std::make_shared<CancelToken>();  // of the current reading
  bool stop_ GUARDED_BY(mutex_) = false;
  bool watching_ GUARDED_BY(mutex_) = false;
  bool cancelled_ GUARDED_BY(mutex_) = false;
  Rate rate_ GUARDED_BY(mutex_);
  std::optional<Preflight> expected_ GUARDED_BY(mutex_);
  // Files whose ranks the limit keeps in a store → bytes of the unloaded rank.
  std::map<std::string, std::uint64_t> stored_ GUARDED_BY(mutex_);
  std::size_t waiting_in_store_ GUARDED_BY(mutex_) = 0;  // of these, ranks with no column in memory
  std::string no_place_ GUARDED_BY(mutex_);  // why ranks cannot be kept on disk, to append after a semicolon
  Failure store_damage_ GUARDED_BY(mutex_);  // found when a rank was opened
  std::map<std::string, Error> unsound_ GUARDED_BY(mutex_);  // files whose data in the kept store is corrupt
  std::map<std::string, Error> errors_ GUARDED_BY(mutex_);   // by file
  Failure failure_ GUARDED_BY(mutex_);
  double seconds_ GUARDED_BY(mutex_) = 0;

  std::thread thread_;  // last, because it uses all of the above
};

}  // namespace warpscope::ingest
