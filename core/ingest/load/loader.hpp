#pragma once
// What is open, from finding its files until it is closed. A load takes what the store of an earlier one has, has a
// crew read the rest, and publishes ranks one by one as they come, so that the window shows what is there while more
// still comes. After it the loader keeps house: it writes the store, follows files that grow, and gives back memory
// beyond the limit.
//
//   loader.cpp        its life: the load, then the house-keeping until it is closed
//   loader_read.cpp   one file: from the store, else read; into the store at once where memory is short
//   loader_metrics.cpp what nodes measured of themselves
//   loader_attend.cpp watching, the limit of memory, keeping the store
//
// The parts that know how: Publisher (ranks → profile), SourceJobs (progress), Crew and SourceReader (reading),
// StoreKeeper (the store), EventLookup (arguments), DirectoryWatch and RereadPolicy (what changed), Residency (what to
// give back).
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/base/process_memory.hpp"
#include "core/base/progress.hpp"
#include "core/base/rate.hpp"
#include "core/base/result.hpp"
#include "core/ingest/formats/sagemaker/system_metrics.hpp"
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
  /// Begins at once. `path`: a file, a directory, or a converted profile; also a directory with nothing but one such,
  /// unless it is watched.
  explicit Loader(std::string path, LoadOptions options = {});
  /// Cancels and waits; a store that is being written is not finished.
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// The best profile so far; nullptr until the first rank is there. Each call may give a newer one, while it loads,
  /// while it watches, and when ranks are given back to the store.
  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const { return publisher_.profile(); }
  /// Where arguments come from. May outlive the loader.
  [[nodiscard]] std::shared_ptr<const EventLookup> events() const { return events_; }
  [[nodiscard]] LoadStatus status() const;
  /// The load is over; watching may go on.
  [[nodiscard]] bool finished() const { return finished_.load(std::memory_order_acquire); }
  /// Set once finished while nothing at all could be read: what was wrong, where, what to do. Watching may end that.
  [[nodiscard]] Failure failure() const;

  /// Stops reading and watching. What is loaded stays; the rest is left out, and the profile says so in a diagnostic.
  void cancel();
  /// Looks for new and grown files from now on, or no longer. A converted profile does not change: nothing happens.
  void watch(bool on);
  /// Until finished().
  void wait();
  /// Reads again from the traces what was found damaged in a store since it was opened, where they are still as they
  /// were; profile() is another one then. Ranks that trace::damage_of still names cannot be read anywhere. For once
  /// finished; the loader does the same by itself every second.
  void mend();
  /// Writes what is loaded into a store at `file`, with the texts of all events; by all threads, and once finished and
  /// not watching. `progress` (may be null) gains bytes of the sources. Errors: nothing is loaded, `file` cannot be
  /// written, `cancel` was cancelled; what would be copied from a converted profile is damaged; a source changed since
  /// it was found.
  [[nodiscard]] Failure save(const std::string& file, const CancelToken& cancel, Progress* progress = nullptr) const;
  /// What was found damaged in the converted profile that is open, since it was opened; nothing of anything else.
  [[nodiscard]] Failure damage_of_converted() const;
  /// Saves to where the next load of the same path finds it. Where it was loaded from there, all of that is checked,
  /// which opening it does not do; nothing is written if it is sound, else what is damaged is read again, as mend()
  /// does. That takes long: for when what is loaded was shown. For once finished. Errors: as save(), with the folder
  /// that there is no room in, or that cannot be written.
  [[nodiscard]] Result<Kept> keep(const CancelToken& cancel, Progress* progress = nullptr);

 private:
  using Clock = std::chrono::steady_clock;

  // loader.cpp
  void run();
  void load();
  void load_store(const std::string& file);
  [[nodiscard]] Failure write(const std::string& file, bool whole, const CancelToken& cancel, Progress* progress) const;
  void fail(const Error& error);
  void read_job(const Discovery& found);
  void look_at_cost(const std::vector<trace::SourceFile>& sources);
  [[nodiscard]] Error why_nothing() const;
  [[nodiscard]] Result<std::string> check_kept(const CancelToken& cancel);
  void changed();
  void tick();

  // loader_read.cpp
  void take(const std::vector<trace::SourceFile>& sources, bool growing_known);
  void take_one(SourceJob& job, bool growing);
  bool take_from_store(SourceJob& job);
  void read(SourceJob& job, bool growing);
  void add(std::shared_ptr<const trace::Rank> rank);
  [[nodiscard]] unsigned most_threads() const;
  [[nodiscard]] unsigned useful_threads(const std::vector<trace::SourceFile>& sources) const;

  // loader_metrics.cpp
  void take_metrics();

  // loader_attend.cpp
  void attend();
  void look_again();
  [[nodiscard]] bool nothing_more() const;
  std::uint64_t give_back();
  void note_no_place(const Error& error);
  void note_memory(std::uint64_t ranks);
  void note_not_held(const std::string& what, std::uint64_t needed);
  void check_stores();
  void note_damage_of_converted(const Error& damage, bool mended);
  void keep_store_if_due();
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

  // Of the loader's thread and, while it reads, its crew's.
  std::optional<KnownSources> known_;
  Discovery found_;
  smdebug::SystemMetrics metrics_;
  bool store_is_aside_ = false;                // known_ was found damaged, and has no name any more
  std::atomic<bool> opened_store_{false};      // what is open is a store
  std::atomic<bool> kept_{false};              // a store was written
  std::atomic<StoreBuilder*> spill_{nullptr};  // ranks go there
  std::mutex spilling_;                        // held while that begins
  bool cannot_spill_ = false;                  // under spilling_
  std::atomic<std::uint64_t> in_memory_{0};    // bytes of ranks that no store has
  std::atomic<std::uint64_t> most_held_{0};    // bytes of ranks at once, while they were read
  ProcessMemory before_;                       // as the load began
  bool not_held_ = false;                      // the limit was exceeded, and it is said
  std::optional<DirectoryWatch> watch_;
  RereadPolicy policy_;
  Residency residency_;
  std::atomic<bool> away_{false};                 // what was opened cannot be looked at
  bool read_anything_ = false;                    // worth keeping, since the store was kept
  std::optional<Clock::time_point> quiet_since_;  // none: nothing changed since the load

  mutable std::mutex house_;  // held while the loader keeps house, and by others who ask what it has; before mutex_

  mutable std::mutex mutex_;  // guards everything below
  std::condition_variable news_;
  std::shared_ptr<CancelToken> cancel_ = std::make_shared<CancelToken>();  // of the reading that goes on
  bool stop_ = false;
  bool watching_ = false;
  bool cancelled_ = false;
  Rate rate_;
  std::optional<Preflight> expected_;
  std::map<std::string, std::uint64_t>
      stored_;                            // files whose ranks the limit keeps in a store → bytes of the bare rank
  std::size_t waiting_in_store_ = 0;      // of these, with no column in memory
  std::string no_place_;                  // why ranks cannot be kept on the disk, behind a semicolon
  Failure store_damage_;                  // met when a rank was opened
  std::map<std::string, Error> unsound_;  // files of which the kept store has what is damaged
  std::map<std::string, Error> errors_;   // by file
  Failure failure_;
  double seconds_ = 0;

  std::thread thread_;  // last: it uses all of the above
};

/// Loads and waits: for the command line and for tests.
[[nodiscard]] Result<std::shared_ptr<const trace::Profile>> load_profile(const std::string& path,
                                                                         LoadOptions options = {});

}  // namespace warpscope::ingest
