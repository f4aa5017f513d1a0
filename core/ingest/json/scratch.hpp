#pragma once
// Memory for the decoded strings of one event. Chunks never move, so views stay valid when more strings are added.
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace warpscope::ingest::json {

class Scratch {
 public:
  /// Returns `size` bytes, valid until clear().
  [[nodiscard]] std::span<char> allocate(std::size_t size) {
    if (chunks_.empty() || size > chunks_.back().size - used_) {
      const std::size_t room = size > kChunk ? size : kChunk;
      chunks_.push_back({std::make_unique<char[]>(room), room});
      used_ = 0;
    }
    const std::span<char> taken(chunks_.back().bytes.get() + used_, size);
    used_ += size;
    return taken;
  }

  /// Frees everything except one ordinary chunk.
  void clear() {
    if (used_ == 0) return;
    if (chunks_.size() > 1 || (!chunks_.empty() && chunks_.back().size > kChunk)) chunks_.clear();
    used_ = 0;
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{64} << 10;
  struct Chunk {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };
  std::vector<Chunk> chunks_;
  std::size_t used_ = 0;
};

}  // namespace warpscope::ingest::json
