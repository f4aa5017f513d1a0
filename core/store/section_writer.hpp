#pragma once
// Writes sections as zstd frames, each with its length and a checksum of its content, so `zstd -d` can unpack a section
// and any corruption is detected.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "core/store/column_codec.hpp"
#include "core/store/format.hpp"

struct ZSTD_CCtx_s;

namespace warpscope::store {

/// Compression settings. `plain` frames are uncompressed and have no checksum. They are used for fuzzing, where
/// mutating the file should mutate the content.
struct Packing {
  int level = 3;
  bool plain = false;
};

/// Builds the sections of one rank (or of the directory) one after another.
class SectionWriter {
 public:
  explicit SectionWriter(Packing packing);
  ~SectionWriter();
  SectionWriter(const SectionWriter&) = delete;
  SectionWriter& operator=(const SectionWriter&) = delete;

  /// Adds a frame to the open section. At most kMostFrame bytes.
  void frame(std::span<const std::uint8_t> content);
  /// Adds `content` as one or more frames, split at arbitrary positions.
  void stream(std::span<const std::uint8_t> content);
  /// Adds columns of `size` values. Each function in `values` returns the value at an index; indices are passed in
  /// ascending order. Each frame contains one chunk of every column.
  template <class... Values>
  void columns(std::size_t size, Values... values) {
    for (std::size_t first = 0; first < size; first += kChunk) {
      planes_.clear();
      (append_chunk(first, std::min<std::size_t>(kChunk, size - first), values), ...);
      frame(planes_);
    }
  }
  template <class Values>
  void column(const Values& values) {
    columns(values.size(), [&](std::size_t i) { return values[i]; });
  }
  /// Ends the section. Returns its position in bytes().
  SectionRef end_section(std::uint64_t most_ratio = kMostRatio);
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  template <class Value>
  void append_chunk(std::size_t first, std::size_t size, Value& value) {
    std::vector<std::invoke_result_t<Value&, std::size_t>> chunk(size);
    for (std::size_t i = 0; i < size; ++i) chunk[i] = value(first + i);
    append_planes(planes_, chunk);
  }
  void plain_frame(std::span<const std::uint8_t> content);
  void skippable_frame(std::uint64_t size);

  Packing packing_;
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> context_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint8_t> planes_;  // of the chunks of a frame
  std::uint64_t begin_ = 0;           // of the open section
  std::uint64_t content_ = 0;         // of the open section
};

}  // namespace warpscope::store
