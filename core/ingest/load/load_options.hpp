#pragma once
// What can be asked of a load, and what it tells about itself.
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

/// What is done with the stores of what was opened before.
struct StoreOptions {
  bool use = true;                 ///< take from a store what is in it
  bool keep = false;               ///< write one for the next time, after the load, by a thread of its own
  std::filesystem::path folder{};  ///< of all stores; empty: there is none, and neither of the above happens
  std::uint64_t limit = store::kDefaultCacheLimit;  ///< bytes that all stores together may take
  /// What a watched directory brings after the load is kept once nothing was read for so long: files that still grow
  /// would make a store worthless at once.
  std::chrono::milliseconds rest{10'000};
};

/// What keeping came to.
struct Kept {
  std::string file;         ///< what the next load comes from; "" for a converted profile, which needs none
  std::uint64_t bytes = 0;  ///< its size
  bool written = false;     ///< just now; else it was up to date, and sound in all its parts
  std::string repaired;     ///< what was damaged in the one that this took the place of; "" if nothing
};

/// Below this there is no room to show anything.
inline constexpr std::uint64_t kLeastMemoryLimit = std::uint64_t{64} << 20;

struct LoadOptions {
  unsigned threads = 0;               ///< 0: as many as the machine has cores
  std::function<void()> on_change{};  ///< called from workers: a new profile, or progress, is there (at most ~25 / s)
  std::uint64_t memory_limit =
      0;  ///< bytes for ranks and names; beyond it ranks wait in stores until looked at. 0: none
  StoreOptions store{};
  bool watch = false;                          ///< go on looking for new and grown files after the load
  std::chrono::milliseconds look_every{1000};  ///< while it watches; less often where a look takes long
};

enum class FileState : std::uint8_t { waiting, reading, done, passed_over, cancelled };

struct FileStatus {
  std::string path;         ///< of system metrics: a pattern that all files of the node match
  std::uint64_t files = 1;  ///< more than one of system metrics, which count as one source a node
  bool metrics = false;
  FileState state = FileState::waiting;
  std::uint64_t bytes_done = 0;  ///< of the file on disk
  std::uint64_t bytes_total = 0;
  bool from_store = false;  ///< needed no reading
  bool growing = false;     ///< still written to, as far as one can tell
  std::string why{};        ///< it was passed over
  bool unfinished = false;  ///< it was read, and its end is missing
  bool partly = false;      ///< reading was stopped, and what was read by then is shown
};

struct LoadStatus {
  bool finished = false;  ///< the load is over; watching may go on
  bool cancelled = false;
  bool watching = false;
  bool away = false;       ///< what was opened is not there, or cannot be looked through
  bool converted = false;  ///< a converted profile is open, which does not change
  bool keeping = false;    ///< a store is being written
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
  double seconds = 0;           ///< since the load began; until it finished, once it has
  double bytes_per_second = 0;  ///< of late; 0 while unknown and when nothing is read
  std::optional<double> seconds_left;
  std::optional<Preflight> expected;  ///< of what had to be read
  std::size_t waiting_in_store =
      0;  ///< ranks that the limit of memory keeps there, with nothing of them brought in now
  std::vector<FileStatus> files;
};

}  // namespace warpscope::ingest
