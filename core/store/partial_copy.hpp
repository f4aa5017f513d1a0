#pragma once
// A local copy of parts of a store on another machine: a sparse file with the blocks that have been fetched so far,
// followed by a table with the hash of each. A block whose hash is wrong counts as missing, so a copy that a crash or
// another program damaged is fetched again. Several instances of the program may use a copy at the same time, because
// they only ever write the same bytes.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/store/store_bytes.hpp"

namespace warpscope::store {

class PartialCopy {
 public:
  static constexpr std::uint64_t kBlock = std::uint64_t{16} << 10;

  /// Opens or creates the copy at `path` of a store with `size` bytes. If `path` is empty or cannot be written, the
  /// copy is in memory and ends with the program. Errors: no memory file can be created.
  [[nodiscard]] static Result<std::unique_ptr<PartialCopy>> open(const std::string& path, std::uint64_t size);

  /// Use open(). `file`: open for reading and writing, with room for the copy.
  PartialCopy(std::string name, Descriptor file, std::uint64_t size);

  /// Path for messages.
  [[nodiscard]] const std::string& name() const { return file_.name(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t blocks() const { return (size_ + kBlock - 1) / kBlock; }
  [[nodiscard]] std::uint64_t length_of(std::uint64_t block) const { return std::min(kBlock, size_ - block * kBlock); }
  /// True if the block has been fetched, now or earlier.
  [[nodiscard]] bool has(std::uint64_t block) const;
  /// Keeps a fetched block of length_of() bytes. False if it cannot be written, such as on a full disk.
  [[nodiscard]] bool put(std::uint64_t block, std::span<const std::uint8_t> bytes) const;
  /// Reads bytes of blocks that are here.
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const { return file_.read(offset, into); }

 private:
  enum class State : std::uint8_t { unknown, missing, here };
  static constexpr std::uint64_t kHash = 8;  // bytes of a hash in the table

  [[nodiscard]] std::uint64_t place_of_hash(std::uint64_t block) const { return blocks() * kBlock + block * kHash; }

  FileBytes file_;
  std::uint64_t size_;
  mutable std::vector<std::atomic<State>> states_;  // of the blocks; filled in as they are asked for
};

}  // namespace warpscope::store
