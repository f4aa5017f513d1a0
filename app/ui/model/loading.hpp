#pragma once
// Interface between the window and a load in progress. Tests substitute their own loads.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/ingest/load/event_lookup.hpp"
#include "core/ingest/load/load_options.hpp"
#include "core/store/cache.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

using ingest::FileState;

/// Options of a load.
struct LoadChoices {
  std::uint64_t memory_limit = 0;  ///< bytes; 0: no limit
  bool keep_stores = true;         ///< use and write stores
  std::uint64_t store_limit = store::kDefaultCacheLimit;
  bool watch = false;
};

struct FileProgress : ingest::FileStatus {
  std::string name;  ///< relative to the opened path
};

struct LoadProgress {
  bool running = false;  ///< still loading
  bool cancelled = false;
  std::uint64_t done = 0;                     ///< bytes on disk, all files
  std::uint64_t total = 0;                    ///< 0 while the directory is being scanned
  double bytes_per_second = 0;                ///< 0 while unknown
  std::optional<double> seconds_left;         ///< if it can be estimated
  std::optional<ingest::Preflight> expected;  ///< estimated cost of the load
  bool watching = false;
  bool awaiting = false;             ///< watched, but nothing to show yet
  bool away = false;                 ///< the opened path is missing or cannot be read
  bool converted = false;            ///< a converted profile, which never changes
  bool keeping = false;              ///< a store is being written
  std::uint64_t memory_limit = 0;    ///< limit of this load; bytes, 0: none
  std::size_t waiting_in_store = 0;  ///< ranks kept on disk by the memory limit
  std::vector<FileProgress> files;
  std::optional<Error> error;  ///< nothing could be read, and nothing is expected

  /// 0 … 1; 0 while unknown.
  [[nodiscard]] double fraction() const {
    return total == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(total);
  }
  /// Files still being written.
  [[nodiscard]] std::size_t growing() const;
  /// Truncated files that are not being written.
  [[nodiscard]] std::size_t unfinished() const;
};

/// Progress of reading files that appeared, grew or changed while watching.
struct Catching {
  std::size_t files = 0;    ///< 0: nothing is being read
  std::uint64_t done = 0;   ///< bytes
  std::uint64_t total = 0;  ///< > 0 if `files` > 0
};
[[nodiscard]] Catching catching_up(const LoadProgress& progress);

/// A load. The destructor cancels it and waits.
class ProfileLoader {
 public:
  virtual ~ProfileLoader() = default;
  /// Returns the most complete profile so far; null until the first part is loaded. Thread-safe.
  [[nodiscard]] virtual std::shared_ptr<const trace::Profile> profile() const = 0;
  /// Call from one thread only.
  [[nodiscard]] virtual LoadProgress progress() = 0;
  virtual void cancel() = 0;
  /// Starts or stops watching for new and growing files.
  virtual void watch(bool on) = 0;
  /// Reads the arguments of slices; may be null. Thread-safe.
  [[nodiscard]] virtual std::shared_ptr<const ingest::EventLookup> events() const { return nullptr; }
  /// Reads corrupt parts of a store from the traces and waits: Loader::mend. For commands.
  virtual void mend() {}
  /// Writes the store and waits for it, unless cancelled. For commands.
  [[nodiscard]] virtual Result<ingest::Kept> keep_store(const CancelToken& /*cancel*/) { return ingest::Kept{}; }
};

/// Starts loading `path` on other threads with the given choices. They call `on_change` when profile() or progress()
/// changed, at most about 30 times a second.
using LoaderFactory = std::function<std::unique_ptr<ProfileLoader>(
    const std::filesystem::path& path, const LoadChoices& choices, std::function<void()> on_change)>;

}  // namespace warpscope::ui
