#pragma once
// What the decompressing streams have in common: the file taken in block by block, and their makers.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"

namespace warpscope::ingest {

/// The compressed bytes of a file, one block at a time.
class CompressedInput {
 public:
  /// From byte `position` on. `cancel` may be null.
  CompressedInput(FileSource file, const CancelToken* cancel, std::uint64_t position = 0);

  /// Bytes that are in and not used; empty at the end of the file. Loads a block if none are left: the first one behind
  /// a position within the file is small, since little may be wanted there.
  Result<std::span<const char>> available();
  void use(std::size_t bytes) { used_ += bytes; }
  /// Goes on at byte `position` of the file.
  void go_to(std::uint64_t position);

  /// Where in the file reading stands.
  [[nodiscard]] std::uint64_t position() const { return base_ + used_; }
  /// The furthest that reading stood: behind damage it goes on with what begins before the place where that was
  /// noticed.
  [[nodiscard]] std::uint64_t consumed() const { return std::max(furthest_, position()); }
  [[nodiscard]] const FileSource& file() const { return file_; }
  /// The error that says so, once the work was cancelled.
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

/// What goes wrong in a stream whose text consists of parts that are compressed each by itself, gzip members or zstd
/// frames: damage is noted, zeros take the place of what is lost, and reading goes on with the next part.
class DamageBook {
 public:
  /// A part begins at byte `file` of the file, before which `text` bytes of text were had.
  void begin(std::uint64_t file, std::uint64_t text) { begin_ = {file, text}; }
  [[nodiscard]] std::uint64_t begin_in_file() const { return begin_.file; }
  /// The part is damaged; what was had of it ends at `text`.
  void note(Error error, std::uint64_t text) { damages_.push_back({begin_.text, text, std::move(error), false}); }
  /// The data end within the part.
  void note_end(Error error, std::uint64_t text) { damages_.push_back({begin_.text, text, std::move(error), true}); }
  [[nodiscard]] bool full() const;
  /// The last one noted was read on from `file`: says so, and zeros come next.
  void read_on(std::uint64_t file, bool zeros);
  /// Zeros for `into`, if some are due; how many.
  std::size_t zeros(std::span<char> into);

  [[nodiscard]] std::span<const InputDamage> all() const { return damages_; }

 private:
  struct Begin {
    std::uint64_t file = 0;
    std::uint64_t text = 0;
  };
  Begin begin_;
  std::size_t zeros_ = 0;
  std::vector<InputDamage> damages_;
};

[[nodiscard]] Error cancelled_error(const std::string& path);

/// `from` (may be null: from the begin) is a checkpoint that a stream of the same kind noted of this very file.
[[nodiscard]] std::unique_ptr<ByteStream> make_gzip_stream(FileSource file, const OpenOptions& options,
                                                           const Checkpoint* from = nullptr);
/// As above. Null if the memory that the state of `from` needs is in use.
[[nodiscard]] std::unique_ptr<ByteStream> make_zstd_stream(FileSource file, const OpenOptions& options,
                                                           const Checkpoint* from = nullptr);

}  // namespace warpscope::ingest
