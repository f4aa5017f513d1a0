#pragma once
// Watches a directory that a job is still writing to. Reports files that appeared, grew, were rewritten or vanished
// since the last scan. Polls and compares size, modification time and inode, which works on every file system,
// including network file systems without notifications.
//
// A file is settled once two scans have seen it unchanged. Until then, it is `growing` and not worth rereading every
// second.
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/ingest/listing/discover.hpp"

namespace warpscope::ingest {

struct SourceChange {
  enum class Kind : std::uint8_t {
    appeared,  ///< new since the last scan
    changed,   ///< size, modification time or inode differ from the last scan
    settled,   ///< unchanged for the first time since it appeared or changed
    moved,     ///< renamed from `before`, same size or larger: renamed to its final name
    vanished,  ///< no longer exists
  };

  Kind kind = Kind::appeared;
  trace::SourceFile source;  ///< current state; last known state if it vanished
  std::string before{};      ///< old path of a moved file
};

/// Returns the differences between two scans in the order of `now`, followed by vanished files. Does not report settled
/// files. O(n log n).
[[nodiscard]] std::vector<SourceChange> changes_between(const std::vector<trace::SourceFile>& before,
                                                        const std::vector<trace::SourceFile>& now);

/// Scans a directory and keeps the last result. Not thread-safe.
class DirectoryWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// `known`: files already found and read. The first look() reports changes relative to them. They are considered
  /// growing until a scan finds them unchanged.
  DirectoryWatch(std::filesystem::path path, Discovery known);

  /// Scans now. Fails if the path cannot be scanned (deleted, disk unavailable). In that case, no file is reported
  /// as vanished, and the next scan continues from the last good scan.
  [[nodiscard]] Result<std::vector<SourceChange>> look();

  /// Returns the result of the last good scan, with diagnostics for skipped files.
  [[nodiscard]] const Discovery& found() const { return found_; }
  /// Returns whether the file is still growing, based on the scans so far.
  [[nodiscard]] bool growing(const std::string& path) const { return growing_.contains(path); }
  /// Returns how long to wait before the next scan: `usual`, or longer if scanning would otherwise take more than a
  /// twentieth of the time.
  [[nodiscard]] std::chrono::milliseconds pause(std::chrono::milliseconds usual) const;

 private:
  std::filesystem::path path_;
  Discovery found_;
  std::set<std::string, std::less<>> growing_;  // paths
  Clock::duration last_took_{};
};

}  // namespace warpscope::ingest
