#pragma once
// Places in a compressed file from which it can be decompressed on. A compressed text can only be read from its begin;
// who wants the arguments of one event near the end of 2 GB would wait for seconds. So a stream that is read through
// anyway notes the state of its decoder every so often (as zlib's own example zran.c does for gzip), and the text at
// any offset is then had by decompressing no more than what lies between two notes.
//
// What that costs, by decoder, for a trace of 475 MB (15 times as long as its gzip):
//
//             between notes   a note    per GiB of text   to reach an offset
//   ISA-L     16 MiB            6 KB    0.4 MB            <  5 ms
//   zlib       8 MiB           40 KB    5.1 MB            <  7 ms
//   zstd -3   24 MiB          140 KB    5.9 MB            < 12 ms
//
// Begins of gzip members and zstd frames cost nothing and are preferred. kMostBytes bounds the whole: beyond it every
// second note is dropped and the spacing doubled, so that even a terabyte of zeros costs no more. Where reading goes on
// behind damage is always noted and kept: ISA-L gives some bytes more or less of a damaged member by how much it is
// asked for at once, so only from there on a text that is read again has what it had at the same offsets.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// What decompresses gzip. `best` is ISA-L where the program was built with it, else zlib.
enum class GzipEngine : std::uint8_t { best, zlib, isal };

/// Whether the program was built with ISA-L.
[[nodiscard]] bool has_isal();

/// A decoder's state in the middle of a member or frame; immutable. Each stream knows its own kind.
class DecoderState {
 public:
  virtual ~DecoderState() = default;
  [[nodiscard]] virtual std::size_t resident_bytes() const = 0;
};

struct Checkpoint {
  std::uint64_t text = 0;                     ///< bytes of text before it
  std::uint64_t file = 0;                     ///< bytes of the file that the decoder has taken in
  std::shared_ptr<const DecoderState> state;  ///< null: a member or a frame begins here
  std::uint64_t begin = 0;                    ///< where the member or frame begins in the file; of states
  bool behind_damage = false;                 ///< how much text was had before it depends on how it was read
};

class Checkpoints {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// `spacing`: bytes of text between two of them, not 0.
  Checkpoints(const FileStamp& stamp, std::uint64_t spacing) : stamp_(stamp), spacing_(spacing) {}

  /// The file that they are of.
  [[nodiscard]] const FileStamp& stamp() const { return stamp_; }
  /// The last one at or before `text`; null if that is the begin of the file. O(log n).
  [[nodiscard]] const Checkpoint* before(std::uint64_t text) const;
  /// The last one at or before `text` at which a member or frame begins; null if that is the begin of the file. O(n).
  [[nodiscard]] const Checkpoint* begin_before(std::uint64_t text) const;
  [[nodiscard]] std::size_t size() const { return points_.size(); }
  /// Memory held, without this object itself.
  [[nodiscard]] std::size_t resident_bytes() const;
  [[nodiscard]] std::uint64_t spacing() const { return spacing_; }

  // For the stream that notes them.

  /// Where the next one is due.
  [[nodiscard]] std::uint64_t next_due() const { return (points_.empty() ? 0 : points_.back().text) + spacing_; }
  /// A member or frame begins at `file`, before which `text` bytes of text were had: notes it from half the spacing on.
  void add_begin(std::uint64_t text, std::uint64_t file, bool behind_damage);
  /// `point` lies behind all others.
  void add(Checkpoint point, std::size_t most_bytes = kMostBytes);

 private:
  FileStamp stamp_;
  std::uint64_t spacing_;
  std::size_t state_bytes_ = 0;
  std::vector<Checkpoint> points_;
};

}  // namespace warpscope::ingest
