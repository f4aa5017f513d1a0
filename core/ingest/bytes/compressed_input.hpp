#pragma once
// Common parts of the decompressing streams: reading the file block by block, corruption, and the factories.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

/// The compressed bytes of a file, one block at a time.
class CompressedInput {
 public:
  /// `cancel` may be null.
  CompressedInput(FileSource file, const CancelToken* cancel);

  /// Returns the bytes that are loaded but not used; empty at the end of the file. Loads a block if none are left.
  Result<std::span<const char>> available();
  void use(std::size_t bytes) { used_ += bytes; }

  /// Returns the current position in the file.
  [[nodiscard]] std::uint64_t position() const { return base_ + used_; }
  [[nodiscard]] const FileSource& file() const { return file_; }
  /// Returns the cancellation error once the work was cancelled.
  [[nodiscard]] std::optional<Error> cancelled() const;

 private:
  FileSource file_;
  const CancelToken* cancel_;
  std::vector<char> block_;
  std::uint64_t base_ = 0;  ///< position of the block in the file
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
};

/// Base of the streams whose text consists of separately compressed parts, gzip members or zstd frames. The text ends
/// where a part cannot be decompressed.
class PackedStream : public ByteStream {
 public:
  /// `name`: of the compression method.
  PackedStream(FileSource file, const OpenOptions& options, const char* name);

  Result<std::size_t> read(std::span<char> into) override;
  [[nodiscard]] std::uint64_t consumed() const override { return input_.position(); }
  [[nodiscard]] const FileStamp& stamp() const override { return input_.file().stamp(); }
  [[nodiscard]] std::span<const InputDamage> damage() const override { return damages_; }

 protected:
  /// Uses some of `input`, which is empty at the end of the file, and returns the number of bytes written to `into`.
  virtual std::size_t decompress(std::span<const char> input, std::span<char> into) = 0;

  // For decompress(), after it has counted what it wrote in text_.

  /// Ends the stream. `within`: within a part, so the file is truncated.
  void end(bool within);
  void fail(Error error) { error_ = std::move(error); }
  /// Records that the part is corrupt; its output ends here.
  void note(Error error) { damages_.push_back({text_, std::move(error), false}); }
  /// Same, and ends the stream.
  void give_up(Error error);
  /// Returns an error about `what`; `ahead`: bytes consumed beyond it.
  [[nodiscard]] Error damaged(const char* what, std::size_t ahead = 0) const;

  CompressedInput input_;
  std::uint64_t text_ = 0;  ///< bytes of text so far

 private:
  std::string name_;
  bool ended_ = false;
  std::optional<Error> error_;  ///< returned once the text before it was
  std::vector<InputDamage> damages_;
};

[[nodiscard]] Error cancelled_error(const std::string& path);

[[nodiscard]] std::unique_ptr<ByteStream> make_gzip_stream(FileSource file, const OpenOptions& options);
[[nodiscard]] std::unique_ptr<ByteStream> make_zstd_stream(FileSource file, const OpenOptions& options);

}  // namespace warpscope::ingest
