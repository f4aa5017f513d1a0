#pragma once
// Takes sections apart: frame after frame, checked before it is used. Nothing is allocated that the section's size in
// the file does not warrant.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/column_codec.hpp"
#include "core/store/format.hpp"
#include "core/store/store_bytes.hpp"

namespace warpscope::store {

/// Reads one section after the other. What goes wrong stays: every call after it fails too, and why() says the first.
class SectionReader {
 public:
  /// `checked`: frames without a checksum are damage. `base`: what the refs' offsets count from; `limit`: where the
  /// body that they must lie in ends.
  SectionReader(const StoreBytes& bytes, std::uint64_t base, std::uint64_t limit, bool checked);
  ~SectionReader();
  SectionReader(const SectionReader&) = delete;
  SectionReader& operator=(const SectionReader&) = delete;

  /// Begins a section.
  bool open(const SectionRef& ref, std::uint64_t most_ratio = kMostRatio);
  /// The content of the next frame, valid until the next call; empty at the end, or if something is wrong.
  std::span<const std::uint8_t> frame();
  /// Whether another frame follows.
  [[nodiscard]] bool more() const { return ok() && !rest_.empty(); }
  /// The content of all frames of a section that is a stream.
  std::vector<std::uint8_t> whole(const SectionRef& ref);
  /// The next values.size() values, a chunk a frame.
  template <class Word>
  bool column(std::span<Word> values);
  /// All bytes between `base` and `limit` as they are stored, every frame in them unpacked and held against its
  /// checksum; whatever sections they belong to. Empty if something is wrong. Memory: the bytes, and one frame.
  std::vector<std::uint8_t> checked_copy();
  /// The content of a section of `count` values, at least; for checks before anything is allocated.
  bool expect(const SectionRef& ref, std::uint64_t count);

  [[nodiscard]] bool ok() const { return why_.empty(); }
  bool fail(const std::string& why);
  /// Names the place in the file, too: where the frame begins that was read last; and the section, unless "".
  [[nodiscard]] Error why(std::string_view section = {}) const;

 private:
  std::span<const std::uint8_t> unpack(std::uint64_t most);  // the frame that rest_ begins with
  void drop_skippable_frames();
  bool ends_as_said();

  const StoreBytes& bytes_;
  std::uint64_t base_;
  std::uint64_t limit_;
  bool checked_;
  Decoder decoder_;
  std::vector<std::uint8_t> stored_;
  std::span<const std::uint8_t> rest_;  // of stored_
  std::uint64_t content_left_ = 0;
  std::vector<std::uint8_t> content_;
  std::uint64_t section_ = 0;  // in the file: where stored_ comes from
  std::uint64_t at_ = 0;       // in the file: where the frame begins that was begun last, or the section
  std::string why_;
};

template <class Word>
bool SectionReader::column(std::span<Word> values) {
  while (!values.empty()) {
    const std::size_t size = values.size() < kChunk ? values.size() : kChunk;
    std::span<const std::uint8_t> content = frame();
    if (!ok()) return false;
    if (!take_planes(content, values.first(size)) || !content.empty())
      return fail("a column is not as long as it says");
    values = values.subspan(size);
  }
  return ok();
}

}  // namespace warpscope::store
