#pragma once
// Positions in a compressed file at which decompression can resume. Compressed text can only be read from its start, so
// reading the arguments of one event near the end of 2 GB would take seconds. Therefore a stream that is read anyway
// saves the state of its decoder at intervals (as zlib's example zran.c does for gzip), and reading any offset
// decompresses only the text after the previous checkpoint.
//
// Cost by decoder, for a trace of 475 MB (15 times as long as its gzip):
//
//            spacing   checkpoint   per GiB of text   to reach an offset
//   ISA-L     16 MiB         6 KB            0.4 MB              <  5 ms
//   zlib       8 MiB        40 KB            5.1 MB              <  7 ms
//
// Starts of gzip members and zstd frames cost nothing and are preferred. zstd cannot save its state, so its checkpoints
// are starts of frames only, and a file of one frame is decompressed from its start. kMostBytes bounds the total:
// beyond it every second checkpoint is dropped and the spacing doubled, so that even a terabyte of zeros costs no more.
// The position where reading resumes after corrupt data is always kept: for a corrupt member, the length of ISA-L's
// output depends on the sizes of the reads, so only after that position does a reread find the same text at the same
// offsets.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// The gzip decompressor. `best` is ISA-L if the program was built with it, else zlib.
enum class GzipEngine : std::uint8_t { best, zlib, isal };

/// Returns whether the program was built with ISA-L.
[[nodiscard]] bool has_isal();

/// A decoder's state in the middle of a member or frame; immutable. Each stream knows its own kind.
class DecoderState {
 public:
  virtual ~DecoderState() = default;
  [[nodiscard]] virtual std::size_t resident_bytes() const = 0;
};

struct Checkpoint {
  std::uint64_t text = 0;                     ///< bytes of text before it
  std::uint64_t file = 0;                     ///< bytes of the file that the decoder has consumed
  std::shared_ptr<const DecoderState> state;  ///< null: a member or frame starts here
  std::uint64_t begin = 0;                    ///< start of the member or frame in the file; only with a state
  bool behind_damage = false;                 ///< the amount of text before it depends on how it was read
};

class Checkpoints {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// `spacing`: bytes of text between two checkpoints, not 0.
  Checkpoints(const FileStamp& stamp, std::uint64_t spacing) : stamp_(stamp), spacing_(spacing) {}

  /// Returns the stamp of the file they belong to.
  [[nodiscard]] const FileStamp& stamp() const { return stamp_; }
  /// Returns the last checkpoint at or before `text`; null: the start of the file. O(log n).
  [[nodiscard]] const Checkpoint* before(std::uint64_t text) const;
  [[nodiscard]] std::size_t size() const { return points_.size(); }
  /// Returns the memory used, without this object itself.
  [[nodiscard]] std::size_t resident_bytes() const;
  [[nodiscard]] std::uint64_t spacing() const { return spacing_; }

  // For the stream that creates them.

  /// Returns where the next checkpoint is due.
  [[nodiscard]] std::uint64_t next_due() const { return (points_.empty() ? 0 : points_.back().text) + spacing_; }
  /// Adds the start of a member or frame at `file`, after `text` bytes of text, from half the spacing on.
  void add_begin(std::uint64_t text, std::uint64_t file, bool behind_damage);
  /// Adds `point`, which must be after all others.
  void add(Checkpoint point, std::size_t most_bytes = kMostBytes);

 private:
  FileStamp stamp_;
  std::uint64_t spacing_;
  std::size_t state_bytes_ = 0;
  std::vector<Checkpoint> points_;
};

}  // namespace warpscope::ingest
