#pragma once
// How the window sees a load in progress: a seam, so that the window can be tested with loads that tests make up.
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

enum class FileState : std::uint8_t { waiting, reading, done, passed_over, cancelled };

/// What a load is asked for beyond its path.
struct LoadChoices {
  std::uint64_t memory_limit = 0;  ///< bytes; 0: none
  bool keep_stores = true;         ///< use and write stores
  std::uint64_t store_limit = store::kDefaultCacheLimit;
  bool watch = false;
};

struct FileProgress {
  std::string name;        ///< relative to what was opened
  std::uint64_t done = 0;  ///< bytes on disk
  std::uint64_t total = 0;
  FileState state = FileState::waiting;
  bool from_store = false;  ///< needed no reading
  bool growing = false;     ///< still written to
  std::string path{};       ///< whole
  std::string why{};        ///< there is no trace in it
  bool unfinished = false;  ///< its end is missing
  bool partly = false;      ///< reading was stopped, and what was read by then is shown
};

struct LoadProgress {
  bool running = false;  ///< more may come
  bool cancelled = false;
  std::uint64_t done = 0;                     ///< bytes on disk, over all files
  std::uint64_t total = 0;                    ///< 0 while the directory is being looked through
  double bytes_per_second = 0;                ///< 0 while unknown
  std::optional<double> seconds_left;         ///< while it can be told
  std::optional<ingest::Preflight> expected;  ///< what the reading was estimated to cost
  bool watching = false;
  bool awaiting = false;             ///< watched, and there is nothing to show yet
  bool away = false;                 ///< what was opened is not there, or cannot be looked through
  bool converted = false;            ///< a converted profile is open, which does not change
  bool keeping = false;              ///< a store is being written
  std::uint64_t memory_limit = 0;    ///< of this load; bytes, 0: none
  std::size_t waiting_in_store = 0;  ///< ranks that the limit of memory keeps on the disk
  std::vector<FileProgress> files;
  std::optional<Error> error;  ///< nothing at all could be read, and nothing is awaited

  /// 0 … 1; 0 while unknown.
  [[nodiscard]] double fraction() const {
    return total == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(total);
  }
  /// Files that are still written to.
  [[nodiscard]] std::size_t growing() const;
  /// Files that nobody writes to at the moment and whose end is missing.
  [[nodiscard]] std::size_t unfinished() const;
};

/// What is read while the window watches: files that came, grew or changed since the load was over.
struct Catching {
  std::size_t files = 0;    ///< 0: nothing is read
  std::uint64_t done = 0;   ///< bytes
  std::uint64_t total = 0;  ///< > 0 if `files` is
};
[[nodiscard]] Catching catching_up(const LoadProgress& progress);

/// One load. Its destructor cancels and waits.
class ProfileLoader {
 public:
  virtual ~ProfileLoader() = default;
  /// The best profile so far; null until the first part is there. Thread-safe.
  [[nodiscard]] virtual std::shared_ptr<const trace::Profile> profile() const = 0;
  /// By one thread.
  [[nodiscard]] virtual LoadProgress progress() = 0;
  virtual void cancel() = 0;
  /// Looks for new and grown files from now on, or no longer.
  virtual void watch(bool on) = 0;
  /// Where the arguments of slices come from; may be null. Thread-safe.
  [[nodiscard]] virtual std::shared_ptr<const ingest::EventLookup> events() const { return nullptr; }
  /// Reads what turned out damaged in a store from the traces now and waits for it: Loader::mend. For commands.
  virtual void mend() {}
  /// Writes the store now and waits for it, unless cancelled. For commands.
  [[nodiscard]] virtual Result<ingest::Kept> keep_store(const CancelToken& /*cancel*/) { return ingest::Kept{}; }
};

/// Starts to load `path` on other threads, as the choices say. `on_change` is called from them when profile() or
/// progress() has news, at most some 30 times a second.
using LoaderFactory = std::function<std::unique_ptr<ProfileLoader>(
    const std::filesystem::path& path, const LoadChoices& choices, std::function<void()> on_change)>;

}  // namespace warpscope::ui
