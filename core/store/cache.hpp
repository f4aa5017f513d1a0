#pragma once
// Where stores live: one folder of the user's cache directory, one file for each path that was ever opened. Several
// instances of the program work in it at once, and any of them may be killed at any moment.
//
//   NAME.wscope          a whole store; only ever put there by renaming, so never seen half-written
//   NAME.wscope.tmp-…    one that a process is writing, who holds a lock on it; what a dead one left is removed
//   NAME.wscope.damaged  the last store that turned out damaged, for whoever wants to know why
//
// NAME is the readable end of the opened path and a hash of the whole of it. A store's modification time says when it
// was last used. When all of them together are larger than the limit, the ones that were not used for longest go, but
// never one that is in use anywhere.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.hpp"
#include "core/store/file_lock.hpp"

namespace warpscope::store {

/// What all stores together may take if the user does not say otherwise: 20 GB.
inline constexpr std::uint64_t kDefaultCacheLimit = 20'000'000'000;
/// Left free on the disk whatever the limit: a cache is no reason for a full disk.
inline constexpr std::uint64_t kDiskReserve = std::uint64_t{1} << 30;

/// A store that someone uses: as long as this lives, no instance evicts it.
class StoreInUse {
 public:
  StoreInUse(std::filesystem::path file, FileLock lock) : file_(std::move(file)), lock_(std::move(lock)) {}
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  friend class Cache;
  std::filesystem::path file_;
  FileLock lock_;
};

class Cache {
 public:
  /// `folder` need not exist; empty: there is no place for stores, and everything says so. `limit`: bytes.
  explicit Cache(std::filesystem::path folder, std::uint64_t limit = kDefaultCacheLimit);
  /// $XDG_CACHE_HOME/warpscope/stores, else ~/.cache/warpscope/stores; empty if neither names a folder.
  [[nodiscard]] static std::filesystem::path default_folder();

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// The file for what is at `opened`: the same for every spelling of the path (links are followed), another for every
  /// other path. Empty without a folder.
  [[nodiscard]] std::filesystem::path place_of(const std::filesystem::path& opened) const;

  /// Takes the store at `file` into use and notes that it was; nothing if there is none.
  [[nodiscard]] std::optional<StoreInUse> use(const std::filesystem::path& file) const;
  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  /// Makes sure that a store of about `expected_bytes` can be written: makes the folder, evicts what has to
  /// go, but nothing for one that seems larger than the limit: whether it is, is known once it is written. Errors: the
  /// folder cannot be made or written; the store is larger than what the disk has to spare.
  [[nodiscard]] Failure make_room(std::uint64_t expected_bytes) const;
  /// Moves a damaged store out of the way; the one before it is deleted. Does nothing if another instance has put a new
  /// store in its place meanwhile.
  void set_aside(const StoreInUse& damaged) const;

  /// Removes what dead processes left and evicts until the limit holds. Call after a store was written.
  void tidy() const;
  /// Deletes everything that is not in use. Returns how many bytes that freed.
  std::uint64_t clear() const;
  /// Bytes that all files of the cache take.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  void evict(std::uint64_t limit) const;

  std::filesystem::path folder_;
  std::uint64_t limit_;
};

}  // namespace warpscope::store
