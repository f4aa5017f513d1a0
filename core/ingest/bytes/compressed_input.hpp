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

  /// Returns the bytes loaded and not used; empty at the end of the file. Loads a block if none are left.
  Result<std::span<const char>> available();
  void use(std::size_t bytes) { used_ += bytes; }
  /// Continues at byte `position` of the file.
  void go_to(std::uint64_t position);

  /// Returns the current position in the file.
  [[nodiscard]] std::uint64_t position() const { return base_ + used_; }
  /// Returns the furthest position so far: after corrupt data, reading resumes before the place where it was detected.
  [[nodiscard]] std::uint64_t consumed() const { return std::max(furthest_, position()); }
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
  std::uint64_t furthest_ = 0;  ///< before the last go_to()
};

/// Base of the streams whose text consists of separately compressed parts, gzip members or zstd frames. Records
/// corruption, replaces lost text with zeros, and continues with the next part.
class PackedStream : public ByteStream {
 public:
  /// Finds a part from a byte of the file on, see resume_point.hpp.
  using FindPart = std::optional<std::uint64_t> (*)(const FileSource& file, std::uint64_t from,
                                                    const CancelToken* cancel);

  /// `name`: of the compression.
  PackedStream(FileSource file, const OpenOptions& options, const char* name, FindPart find);

  Result<std::size_t> read(std::span<char> into) override;
  [[nodiscard]] std::uint64_t consumed() const override { return input_.consumed(); }
  [[nodiscard]] const FileStamp& stamp() const override { return input_.file().stamp(); }
  [[nodiscard]] std::span<const InputDamage> damage() const override { return damages_; }

 protected:
  /// Uses some of `input`, which is empty at the end of the file, and returns the number of bytes written to `into`.
  virtual std::size_t decompress(std::span<const char> input, std::span<char> into) = 0;
  /// Prepares for the start of a part, after corruption.
  virtual void restart() = 0;

  // For decompress(), after it has counted what it wrote in text_.

  /// Records that a part starts here.
  void begin_part() { part_ = input_.position(); }
  /// Ends the stream. `within`: within a part, so that the file is truncated.
  void end(bool within);
  void fail(Error error) { error_ = std::move(error); }
  /// Records that the part is corrupt; its output ends here.
  void note(Error error) { damages_.push_back({text_, std::move(error), false}); }
  /// Same, and continues with the first part found from byte `from` of the file on; by default near this position.
  void give_up(Error error) { give_up(std::move(error), search_begin()); }
  void give_up(Error error, std::uint64_t from);
  /// Records that reading resumed from `file` after the last corruption.
  void read_on(std::uint64_t file) { damages_.back().error.what += ", continued at byte " + std::to_string(file); }
  /// Returns where to search for a part after corruption found here.
  [[nodiscard]] std::uint64_t search_begin() const;
  /// Returns an error about `what`; `ahead`: bytes consumed beyond it.
  [[nodiscard]] Error damaged(const char* what, std::size_t ahead = 0) const;

  CompressedInput input_;
  std::uint64_t text_ = 0;  ///< bytes of text so far

 private:
  const CancelToken* cancel_;
  std::string name_;
  FindPart find_;
  std::uint64_t part_ = 0;  ///< start of the part in the file
  std::size_t zeros_ = 0;   ///< to be written
  bool ended_ = false;
  std::optional<Error> error_;  ///< returned once the text before it was
  std::vector<InputDamage> damages_;
};

[[nodiscard]] Error cancelled_error(const std::string& path);

[[nodiscard]] std::unique_ptr<ByteStream> make_gzip_stream(FileSource file, const OpenOptions& options);
[[nodiscard]] std::unique_ptr<ByteStream> make_zstd_stream(FileSource file, const OpenOptions& options);

}  // namespace warpscope::ingest
