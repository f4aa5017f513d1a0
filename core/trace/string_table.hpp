#pragma once
// Stores each name once. A trace with a million slices has only hundreds or thousands of distinct names, each up to
// thousands of bytes long, so slices store a 32-bit id instead.
//
// The table is append-only and its ids are stable, so a published profile can share it with files that are still
// loading. Entries live in chunks that never move (chunk k holds 1024 << k entries). A reader that got an id through a
// published profile can read without a lock while another thread appends.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/threads/mutex.hpp"

namespace warpscope {

using NameId = std::uint32_t;

class StringTable {
 public:
  static constexpr std::string_view kFurther = "(other names)";

  /// Holds up to `most` strings (at least 2, including the empty one). All others share the last id, whose string is
  /// kFurther.
  explicit StringTable(std::uint32_t most = kMost);
  StringTable(const StringTable&) = delete;
  StringTable& operator=(const StringTable&) = delete;

  /// Returns the id of `text`; appends it if new. Thread-safe. Id 0 is the empty string.
  NameId intern(std::string_view text) EXCLUDES(mutex_);
  /// Returns true and sets `id` if `text` is in the table. Thread-safe.
  [[nodiscard]] bool find(std::string_view text, NameId& id) const EXCLUDES(mutex_);

  /// Returns the string of an id from intern(). Lock-free; the view lives as long as the table.
  [[nodiscard]] std::string_view view(NameId id) const { return entry(id).text; }
  /// 32-bit hash of the string, the same in every run and on every machine (colors are derived from it).
  [[nodiscard]] std::uint32_t hash(NameId id) const { return entry(id).hash; }
  [[nodiscard]] std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  /// True if the table is full, so strings may share the last id.
  [[nodiscard]] bool full() const { return size() == most_; }
  [[nodiscard]] std::size_t resident_bytes() const EXCLUDES(mutex_);

 private:
  struct Entry {
    std::string_view text;
    std::uint32_t hash = 0;
  };
  static constexpr std::uint32_t kFirstChunk = 1024;
  static constexpr std::size_t kChunks = 22;
  static constexpr std::uint32_t kMost = kFirstChunk * ((std::uint32_t{1} << kChunks) - 1);  // just short of 2^32

  [[nodiscard]] const Entry& entry(NameId id) const;
  std::string_view keep(std::string_view text) REQUIRES(mutex_);
  /// `text` is new.
  NameId append(std::string_view text) REQUIRES(mutex_);

  const std::uint32_t most_;
  // Written under the mutex and read without it; this is safe because an id is published only after its entry is
  // written.
  std::array<std::unique_ptr<Entry[]>, kChunks> chunks_;
  std::atomic<std::uint32_t> size_{0};
  mutable Mutex mutex_;
  std::unordered_map<std::string_view, NameId> ids_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<char[]>> arena_ GUARDED_BY(mutex_);
  std::size_t arena_used_ GUARDED_BY(mutex_) = 0;
  std::size_t arena_capacity_ GUARDED_BY(mutex_) = 0;
  std::size_t arena_bytes_ GUARDED_BY(mutex_) = 0;
};

/// FNV-1a over the bytes, then a finalizing mix; the same on every machine.
[[nodiscard]] std::uint32_t stable_hash(std::string_view text);

}  // namespace warpscope
