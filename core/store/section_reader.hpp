#pragma once
// Reads sections frame by frame and checks each frame before use. Allocates no more memory than the section's size in
// the file warrants.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/column_codec.hpp"
#include "core/store/format.hpp"
#include "core/store/store_bytes.hpp"

namespace warpscope::store {

/// Reads sections one after another. Errors are sticky: after the first, every call fails, and why() returns it.
class SectionReader {
 public:
  /// `checked`: treat frames without a checksum as corrupt. `base`: origin of the refs' offsets; `limit`: end of the
  /// body that must contain them.
  SectionReader(const StoreBytes& bytes, std::uint64_t base, std::uint64_t limit, bool checked)
      : bytes_(bytes), base_(base), limit_(limit), checked_(checked), at_(base) {}

  /// Opens a section.
  bool open(const SectionRef& ref, std::uint64_t most_ratio = kMostRatio);
  /// Returns the content of the next frame, valid until the next call; empty at the end or on error.
  std::span<const std::uint8_t> frame();
  /// True if another frame follows.
  [[nodiscard]] bool more() const { return ok() && !rest_.empty(); }
  /// Returns the content of all frames of a section. The default ratio is for streams.
  std::vector<std::uint8_t> whole(const SectionRef& ref, std::uint64_t most_ratio = kMostStreamRatio);
  /// Reads the next values of several interleaved columns of equal size.
  template <class... Words>
  bool columns(std::span<Words>... values);
  template <class Word>
  bool column(std::span<Word> values) {
    return columns(values);
  }
  /// Returns the content of the remaining frames.
  std::vector<std::uint8_t> rest();
  /// Returns the stored bytes between `base` and `limit` after decompressing every frame in them and verifying its
  /// checksum. Ignores section boundaries. Empty on error. Memory: the bytes and one frame.
  std::vector<std::uint8_t> checked_copy();
  /// Checks that a section has content for at least `count` values; call before allocating.
  bool expect(const SectionRef& ref, std::uint64_t count);

  [[nodiscard]] bool ok() const { return why_.empty(); }
  bool fail(const std::string& why);
  /// Returns the first error, with the position of the last frame read and the name of the section, if not empty.
  [[nodiscard]] Error why(std::string_view section = {}) const;

 private:
  std::span<const std::uint8_t> unpack(std::uint64_t most);  // unpacks the first frame of rest_
  bool read_stored(const char* otherwise);                   // fills stored_
  void drop_skippable_frames();
  bool ends_as_said();

  const StoreBytes& bytes_;
  std::uint64_t base_;
  std::uint64_t limit_;
  bool checked_;
  std::vector<std::uint8_t> stored_;
  std::span<const std::uint8_t> rest_;  // of stored_
  std::uint64_t content_left_ = 0;
  std::vector<std::uint8_t> content_;
  std::uint64_t section_ = 0;  // position of stored_ in the file
  std::uint64_t at_ = 0;       // position in the file of the last frame that was started, or of the section
  std::string why_;
  Failure unreachable_;
};

template <class... Words>
bool SectionReader::columns(std::span<Words>... values) {
  const std::size_t size = std::min({values.size()...});
  for (std::size_t first = 0; first < size && ok(); first += kChunk) {
    const std::size_t count = std::min<std::size_t>(kChunk, size - first);
    std::span<const std::uint8_t> content = frame();
    if (ok() && (!(take_planes(content, values.subspan(first, count)) && ...) || !content.empty()))
      fail("a column has the wrong length");
  }
  return ok();
}

}  // namespace warpscope::store
