#pragma once
// What the decompressing streams have in common: the file taken in block by block, and their makers.
#include <memory>
#include <optional>
#include <vector>

#include "core/ingest/byte_stream.hpp"

namespace warpscope::ingest {

/// The compressed bytes of a file, one block at a time.
class CompressedInput {
 public:
  CompressedInput(FileSource file, const CancelToken* cancel);

  /// Bytes that are in and not used; empty at the end of the file. Loads a block if none are left.
  Result<std::span<const char>> available();
  void use(std::size_t bytes) { used_ += bytes; }

  [[nodiscard]] std::uint64_t consumed() const { return base_ + used_; }
  [[nodiscard]] const FileSource& file() const { return file_; }

 private:
  FileSource file_;
  const CancelToken* cancel_;
  std::vector<char> block_;
  std::uint64_t base_ = 0;  ///< position of the block in the file
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
};

/// A read() that produced bytes before it met an error returns the bytes; this keeps the error for the next call.
class PendingError {
 public:
  [[nodiscard]] bool set() const { return error_.has_value(); }
  Result<std::size_t> finish(std::size_t produced, Error error) {
    error_ = std::move(error);
    if (produced > 0) return produced;
    return *error_;
  }
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

[[nodiscard]] Error cancelled_error(const std::string& path);
[[nodiscard]] std::unique_ptr<ByteStream> make_gzip_stream(FileSource file, const CancelToken* cancel);
[[nodiscard]] std::unique_ptr<ByteStream> make_zstd_stream(FileSource file, const CancelToken* cancel);

}  // namespace warpscope::ingest
