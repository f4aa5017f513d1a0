#pragma once
// The store cache: a folder in the user's cache directory with one file per opened path. Several instances of the
// program may use it concurrently, and any of them may be killed at any time.
//
//   NAME.wscope          a complete store; only created by renaming, so never half-written
//   NAME.wscope.tmp-…    a store being written (see draft.hpp)
//   NAME.wscope-part     parts of a store on another machine (see partial_copy.hpp)
//
// A store's NAME consists of the last part of the opened path, for readability, and a hash of the full path. A store's
// modification time is the time of its last use. If the total size exceeds the limit, the least recently used stores
// are deleted. An instance that uses a deleted store keeps its file open and is not affected.
#include <cstdint>
#include <filesystem>

#include "core/base/result.hpp"

namespace warpscope::store {

/// Default limit on the total size of all stores: 20 GB.
inline constexpr std::uint64_t kDefaultCacheLimit = 20'000'000'000;
/// Disk space left free regardless of the limit, so the cache never fills the disk.
inline constexpr std::uint64_t kDiskReserve = std::uint64_t{1} << 30;

class Cache {
 public:
  /// `folder` need not exist. If it is "", there is no cache: make_room() fails, and all other functions are no-ops.
  /// `limit`: bytes.
  explicit Cache(std::filesystem::path folder, std::uint64_t limit = kDefaultCacheLimit);
  /// Returns $XDG_CACHE_HOME/warpscope/stores, or $HOME/.cache/warpscope/stores if XDG_CACHE_HOME is not set; empty if
  /// neither variable contains an absolute path.
  [[nodiscard]] static std::filesystem::path default_folder();

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  /// Returns the store file for the path `opened`. Resolves links, so equivalent paths share a file; other paths never
  /// do. Empty without a folder.
  [[nodiscard]] std::filesystem::path place_of(const std::filesystem::path& opened) const;
  /// Returns the file for parts of a remote store; `key` identifies its content. Empty without a folder.
  [[nodiscard]] std::filesystem::path place_of_copy(const std::filesystem::path& remote, std::uint64_t size,
                                                    std::uint64_t key) const;

  /// Prepares for writing a store of about `expected_bytes`: creates the folder and deletes old stores. Deletes nothing
  /// if the estimate exceeds the limit, because the actual size is known only after writing. Errors: the folder cannot
  /// be created or written; the store is larger than the available disk space.
  [[nodiscard]] Failure make_room(std::uint64_t expected_bytes) const;
  /// Removes files left by dead processes and deletes stores until the total size is within the limit. Call after
  /// writing a store.
  void tidy() const { reduce(limit_); }

 private:
  void reduce(std::uint64_t limit) const;

  std::filesystem::path folder_;
  std::uint64_t limit_;
};

/// Marks the store at `path` as used now.
void mark_used(const std::filesystem::path& path);

}  // namespace warpscope::store
