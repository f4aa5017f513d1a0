#pragma once
// The names a parser has seen. A repeated name is recognized by comparing it in place, without searching for its end
// and without a hash.
//
// Idea: programs repeat themselves, so the successor of the previous two names is likely to follow them again. The
// table of guesses is in skeleton.hpp; this file has the texts and their keys. Bounded: beyond kMostNames or kMostBytes
// nothing is added, and events have no key.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace warpscope::ingest::json {

class NameBook {
 public:
  static constexpr std::uint32_t kMostNames = 1U << 14;
  static constexpr std::size_t kLongestName = 4096;
  static constexpr std::size_t kMostBytes = std::size_t{4} << 20;

  /// Layout in memory: the name, a quote, and 64 readable bytes.
  struct Entry {
    const char* text = nullptr;
    std::uint32_t length = 0;
  };

  /// Returns the key of `name`, from 1 on without gaps and below 2^16; 0 if there is no room for it.
  std::uint32_t key_of(std::string_view name);
  /// Returns the entries, key 1 at [1]; null while there are none. Valid until the next key_of().
  [[nodiscard]] const Entry* entries() const { return entries_.data(); }

 private:
  const char* keep(std::string_view name);
  void grow();

  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t key = 0;
  };
  std::vector<Slot> slots_;  // open addressing, size a power of two
  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<char[]>> arena_;
  std::size_t arena_left_ = 0;
  char* arena_at_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace warpscope::ingest::json
