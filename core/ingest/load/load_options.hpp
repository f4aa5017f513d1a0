#pragma once
// Options and status of a load.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/ingest/read/preflight.hpp"
#include "core/store/cache.hpp"

namespace warpscope::ingest {

/// How to use the stores of earlier loads.
struct StoreOptions {
  bool use = true;                 ///< load from a store if possible
  bool keep = false;               ///< write a store for the next load, on its own thread after this one
  std::filesystem::path folder{};  ///< of all stores; empty: no stores, both options above are ignored
  std::uint64_t limit = store::kDefaultCacheLimit;  ///< maximum bytes of all stores together
  /// A watched directory is saved once nothing was read for this long: growing files would outdate a store at once.
  std::chrono::milliseconds rest{10'000};
};

/// Result of saving a store.
struct Kept {
  std::string file;         ///< the store the next load uses; "" for a converted profile, which needs none
  std::uint64_t bytes = 0;  ///< its size
  bool written = false;     ///< written now; otherwise it was already up to date, and fully valid
  std::string repaired;     ///< what was corrupt in the store that this one replaced; "" if nothing
};

/// Less memory cannot show anything.
inline constexpr std::uint64_t kLeastMemoryLimit = std::uint64_t{64} << 20;

struct LoadOptions {
  unsigned threads = 0;               ///< 0: the number of cores
  std::function<void()> on_change{};  ///< called from workers on a new profile or progress (at most ~25 / s)
  std::uint64_t memory_limit =
      0;  ///< bytes for ranks and names; above it, ranks stay in stores until viewed. 0: no limit
  StoreOptions store{};
  bool watch = false;                          ///< keep looking for new and growing files after the load
  std::chrono::milliseconds look_every{1000};  ///< while watching; less often if a scan takes long
};

enum class FileState : std::uint8_t { waiting, reading, done, passed_over, cancelled };

struct FileStatus {
  std::string path;  ///< for a group: the pattern that matches all of its files
  FileState state = FileState::waiting;
  std::uint64_t bytes_done = 0;  ///< of the file on disk
  std::uint64_t bytes_total = 0;
  bool from_store = false;  ///< was not read again
  bool growing = false;     ///< still being written, as far as known
  std::string why{};        ///< reason why it was skipped
  bool unfinished = false;  ///< read, but truncated
  bool partly = false;      ///< reading was stopped; the part read so far is shown
};

struct LoadStatus {
  bool finished = false;  ///< the load is over; watching may continue
  bool cancelled = false;
  bool watching = false;
  bool away = false;       ///< the opened path does not exist or cannot be scanned
  bool converted = false;  ///< the open path is a converted profile, which does not change
  bool keeping = false;    ///< a store is being written
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
  double seconds = 0;           ///< since the load started, until it finished
  double bytes_per_second = 0;  ///< recent rate; 0 while unknown and when nothing is read
  std::optional<double> seconds_left;
  std::optional<Preflight> expected;  ///< for the sources that had to be read
  std::size_t waiting_in_store = 0;   ///< ranks that the memory limit keeps in stores, with nothing loaded now
  std::vector<FileStatus> files;
};

}  // namespace warpscope::ingest
