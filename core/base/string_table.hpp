#pragma once
// Names are kept once. A trace of a million slices has a few hundred to a few thousand distinct names, of up to
// thousands of bytes each; a slice holds a 32-bit id.
//
// The table is append-only and its ids are stable: a profile that is published while others still load shares it with
// them. Entries live in chunks that never move (chunk k holds 1024 << k entries), so a reader that got an id through a
// published profile reads without a lock while another thread appends.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpscope {

using NameId = std::uint32_t;

class StringTable {
 public:
  static constexpr std::string_view kFurther = "(further names)";

  /// Holds up to `most` strings (at least 2, the empty one among them); all further ones share the last id, whose
  /// string is kFurther.
  explicit StringTable(std::uint32_t most = kMost);
  StringTable(const StringTable&) = delete;
  StringTable& operator=(const StringTable&) = delete;

  /// Id of `text`, appended if new. Safe from several threads. Id 0 is the empty string.
  NameId intern(std::string_view text);
  /// Id of `text` if it is known. Safe from several threads.
  [[nodiscard]] bool find(std::string_view text, NameId& id) const;

  /// The string of an id that intern() returned. Lock-free; the view lives as long as the table.
  [[nodiscard]] std::string_view view(NameId id) const { return entry(id).text; }
  /// 32-bit hash of the string, stable over runs and machines (colours come from it).
  [[nodiscard]] std::uint32_t hash(NameId id) const { return entry(id).hash; }
  [[nodiscard]] std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  /// True if some strings share the last id.
  [[nodiscard]] bool full() const { return size() == most_; }
  [[nodiscard]] std::size_t resident_bytes() const;

 private:
  struct Entry {
    std::string_view text;
    std::uint32_t hash = 0;
  };
  static constexpr std::uint32_t kFirstChunk = 1024;
  static constexpr std::size_t kChunks = 22;
  static constexpr std::uint32_t kMost = kFirstChunk * ((std::uint32_t{1} << kChunks) - 1);  // just short of 2^32

  [[nodiscard]] const Entry& entry(NameId id) const;
  std::string_view keep(std::string_view text);

  NameId append(std::string_view text);

  const std::uint32_t most_;
  std::array<std::unique_ptr<Entry[]>, kChunks> chunks_;
  std::atomic<std::uint32_t> size_{0};
  mutable std::mutex mutex_;  // guards everything below, and appends
  std::unordered_map<std::string_view, NameId> ids_;
  std::vector<std::unique_ptr<char[]>> arena_;
  std::size_t arena_used_ = 0;
  std::size_t arena_capacity_ = 0;
  std::size_t arena_bytes_ = 0;
};

/// FNV-1a over the bytes, then a finalizing mix; the same on every machine.
[[nodiscard]] std::uint32_t stable_hash(std::string_view text);

}  // namespace warpscope
