#pragma once
// Code shared by the compressed streams: block-by-block file reads, corruption handling, and factories.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

/// Base class for streams made up of separately compressed parts: gzip members or zstd frames. The text ends at the
/// first part that cannot be decompressed.
class PackedStream : public ByteStream {
 public:
  /// `name`: the compression method.
  PackedStream(FileSource file, const OpenOptions& options, const char* name)
      : file_(std::move(file)), cancel_(options.cancel), name_(name), block_(kInputBlock) {}

  Result<std::size_t> read(std::span<char> into) override;
  [[nodiscard]] std::uint64_t consumed() const override { return position(); }
  [[nodiscard]] const FileStamp& stamp() const override { return file_.stamp(); }
  [[nodiscard]] std::span<const InputDamage> damage() const override { return damages_; }

 protected:
  /// Consumes some of `input`, which is empty at the end of the file, and returns the number of bytes written to
  /// `into`.
  virtual std::size_t decompress(std::span<const char> input, std::span<char> into) = 0;

  // Before calling these functions, decompress() must add the size of its output to text_.

  /// Ends the stream. `within`: the file ends in the middle of a part, so it is truncated.
  void end(bool within);
  void fail(Error error) { error_ = std::move(error); }
  /// Records that the part is corrupt and its output ends here.
  void note(Error error) { damages_.push_back({text_, std::move(error), false}); }
  /// Same, and ends the stream.
  void give_up(Error error);
  /// Returns an error about `what`; `ahead`: bytes consumed past the error position.
  [[nodiscard]] Error damaged(const char* what, std::size_t ahead = 0) const;

  /// Marks input bytes as used.
  void use(std::size_t bytes) { used_ += bytes; }
  /// Returns the input position in the file.
  [[nodiscard]] std::uint64_t position() const { return base_ + used_; }
  [[nodiscard]] bool cancelled() const { return cancel_ != nullptr && cancel_->cancelled(); }

  FileSource file_;
  std::uint64_t text_ = 0;  ///< text bytes so far

 private:
  /// Returns the unused loaded bytes; loads a block if none are left. Empty at the end of the file.
  Result<std::span<const char>> available();

  const CancelToken* cancel_;
  std::string name_;
  std::vector<char> block_;
  std::uint64_t base_ = 0;  // position of the block in the file
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
  bool ended_ = false;
  std::optional<Error> error_;  ///< returned once all text before it has been read
  std::vector<InputDamage> damages_;
};

[[nodiscard]] Error cancelled_error(const std::string& path);

[[nodiscard]] std::unique_ptr<ByteStream> make_gzip_stream(FileSource file, const OpenOptions& options);
[[nodiscard]] std::unique_ptr<ByteStream> make_zstd_stream(FileSource file, const OpenOptions& options);
/// Opens the text of the file group at `path` (see file_group.hpp), starting at byte `offset`. Errors: the files do not
/// exist or are not the expected ones.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> open_group_stream(const std::string& path, std::uint64_t offset,
                                                                    const OpenOptions& options);

}  // namespace warpscope::ingest
