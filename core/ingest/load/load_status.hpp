#pragma once
// Progress of a load and of each of its files, for display.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/ingest/read/preflight.hpp"

namespace warpscope::ingest {

enum class FileState : std::uint8_t { waiting, reading, done, passed_over, cancelled };

struct FileStatus {
  std::string path;    ///< for a group: the pattern that matches all its files
  std::string name{};  ///< relative to the opened path
  FileState state = FileState::waiting;
  std::uint64_t bytes_done = 0;  ///< of the file on disk
  std::uint64_t bytes_total = 0;
  bool from_store = false;  ///< loaded from a store
  bool growing = false;     ///< still being written, as far as is known
  std::string why{};        ///< reason why it was skipped
  bool unfinished = false;  ///< read, but truncated
};

struct LoadStatus {
  bool running = false;  ///< still loading; false while only watching
  bool cancelled = false;
  bool watching = false;
  bool awaiting = false;        ///< watched, but nothing to show yet
  bool away = false;            ///< the opened path is missing or cannot be read
  bool converted = false;       ///< a converted profile, which never changes
  bool keeping = false;         ///< a store is being written
  std::string awaited{};        ///< what is awaited of another machine; "" if nothing
  std::uint64_t done = 0;       ///< bytes on disk, all files
  std::uint64_t total = 0;      ///< 0 while the directory is being scanned
  double seconds = 0;           ///< since the load started, until it finished
  double bytes_per_second = 0;  ///< recent rate; 0 while unknown or when nothing is read
  std::optional<double> seconds_left{};
  std::optional<Preflight> expected{};  ///< nullopt if there is a store
  std::uint64_t memory_limit = 0;       ///< bytes; 0: none
  std::size_t waiting_in_store = 0;     ///< ranks kept in stores because of the memory limit and not currently loaded
  std::vector<FileStatus> files{};
  std::optional<Error> error{};  ///< nothing could be read, and no more data is expected

  /// Returns the progress from 0 to 1; 0 while unknown.
  [[nodiscard]] double fraction() const {
    return total == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(total);
  }
  /// Returns the number of files still being written.
  [[nodiscard]] std::size_t growing() const;
  /// Returns the number of truncated files that are not being written.
  [[nodiscard]] std::size_t unfinished() const;
};

/// Progress of reading files that appeared, grew or changed while watching.
struct Catching {
  std::size_t files = 0;    ///< 0 if nothing is being read
  std::uint64_t done = 0;   ///< bytes
  std::uint64_t total = 0;  ///< > 0 if `files` > 0
};
[[nodiscard]] Catching catching_up(const LoadStatus& status);

}  // namespace warpscope::ingest
