#pragma once
// Interns the names of one file while it is read: one thread, no locks, no allocation for known names. When the rank is
// built, its ids are replaced with ids from the profile's StringTable.
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace warpscope::ingest {

class Interner {
 public:
  /// Assigns at most `most` ids; any further names share the last id, whose string is StringTable::kFurther.
  explicit Interner(std::uint32_t most = kFree);
  /// Returns the id of `text`, dense from 0 in order of first appearance.
  std::uint32_t intern(std::string_view text);
  [[nodiscard]] std::string_view view(std::uint32_t id) const { return strings_[id]; }
  /// Returns the strings by id, each followed by a quote and kReadable readable bytes, so a repeated JSON string can be
  /// recognized by comparing it in place. Valid until the next intern().
  [[nodiscard]] const std::string_view* views() const { return strings_.data(); }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(strings_.size()); }
  [[nodiscard]] bool full() const { return size() == most_; }

 private:
  static constexpr std::size_t kReadable = 64;
  static constexpr std::uint32_t kFree = 0xFFFFFFFFu;
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id = kFree;
  };

  void grow();
  std::string_view keep(std::string_view text);

  std::uint32_t most_;
  std::vector<Slot> slots_;  // open addressing; size is a power of two
  std::vector<std::string_view> strings_;
  std::vector<std::unique_ptr<char[]>> arena_;
  std::size_t arena_used_ = 0;
  std::size_t arena_capacity_ = 0;
};

}  // namespace warpscope::ingest
