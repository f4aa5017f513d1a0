#pragma once
// In-memory text as a stream, for parsing part of a file.
#include <algorithm>
#include <string_view>

#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

class TextStream final : public ByteStream {
 public:
  /// `text` must outlive the stream.
  explicit TextStream(std::string_view text) : text_(text) {}

  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t got = std::min(into.size(), text_.size() - position_);
    std::copy_n(text_.data() + position_, got, into.data());
    position_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return position_; }
  [[nodiscard]] const FileStamp& stamp() const override { return stamp_; }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
  FileStamp stamp_;
};

}  // namespace warpscope::ingest
