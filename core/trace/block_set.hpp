#pragma once
// The set of a lane's blocks that are in memory before its columns are loaded. Stores one bit per block plus prefix
// counts, so find() returns a block's index within the set in O(1).
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace warpscope::trace {

class BlockSet {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  BlockSet() = default;
  /// `blocks` must be sorted in ascending order, with all values less than `universe`.
  BlockSet(std::span<const std::uint32_t> blocks, std::uint32_t universe)
      : words_((static_cast<std::size_t>(universe) + 63) / 64) {
    for (const std::uint32_t block : blocks) words_[block / 64].bits |= std::uint64_t{1} << block % 64;
    std::uint32_t before = 0;
    for (Word& word : words_) {
      word.before = before;
      before += static_cast<std::uint32_t>(std::popcount(word.bits));
    }
  }

  /// Returns the index of `block` within the set, or kNone if it is not in the set.
  [[nodiscard]] std::uint32_t find(std::uint32_t block) const {
    if (block / 64 >= words_.size()) return kNone;
    const Word& word = words_[block / 64];
    const std::uint64_t bit = std::uint64_t{1} << block % 64;
    if ((word.bits & bit) == 0) return kNone;
    return word.before + static_cast<std::uint32_t>(std::popcount(word.bits & (bit - 1)));
  }
  [[nodiscard]] std::size_t resident_bytes() const { return words_.capacity() * sizeof(Word); }

 private:
  struct Word {
    std::uint64_t bits = 0;
    std::uint32_t before = 0;
  };
  std::vector<Word> words_;
};

}  // namespace warpscope::trace
