#pragma once
// Common parts of the decompressing streams: reading the file block by block, and the factories.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

/// The compressed bytes of a file, one block at a time.
class CompressedInput {
 public:
  /// Starts at byte `position`. `cancel` may be null.
  CompressedInput(FileSource file, const CancelToken* cancel, std::uint64_t position = 0);

  /// Returns the bytes loaded and not used; empty at the end of the file. Loads a block if none are left. The first
  /// block after a position within the file is small, because little may be needed there.
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
  std::size_t next_block_;
  std::uint64_t base_;  ///< position of the block in the file
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t furthest_ = 0;  ///< before the last go_to()
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

/// Errors of a stream whose text consists of separately compressed parts, gzip members or zstd frames: records
/// corruption, replaces lost text with zeros, and continues with the next part.
class DamageBook {
 public:
  /// Records that a part starts at byte `file` of the file.
  void begin(std::uint64_t file) { begin_ = file; }
  [[nodiscard]] std::uint64_t begin_in_file() const { return begin_; }
  /// Records that the part is corrupt; its output ends at `text`.
  void note(Error error, std::uint64_t text) { damages_.push_back({text, std::move(error), false}); }
  /// Records that the data end within the part.
  void note_end(Error error, std::uint64_t text) { damages_.push_back({text, std::move(error), true}); }
  [[nodiscard]] bool full() const;
  /// Records that reading resumed from `file` after the last corruption; zeros follow if `zeros`.
  void read_on(std::uint64_t file, bool zeros);
  /// Writes pending zeros to `into`; returns how many.
  std::size_t zeros(std::span<char> into);

  [[nodiscard]] std::span<const InputDamage> all() const { return damages_; }

 private:
  std::uint64_t begin_ = 0;
  std::size_t zeros_ = 0;
  std::vector<InputDamage> damages_;
};

[[nodiscard]] Error cancelled_error(const std::string& path);

/// `from` (null: start of the file) is a checkpoint that a stream of the same kind created for exactly this file.
[[nodiscard]] std::unique_ptr<ByteStream> make_gzip_stream(FileSource file, const OpenOptions& options,
                                                           const Checkpoint* from = nullptr);
[[nodiscard]] std::unique_ptr<ByteStream> make_zstd_stream(FileSource file, const OpenOptions& options,
                                                           const Checkpoint* from = nullptr);

}  // namespace warpscope::ingest
