#pragma once
// The text of a trace file as a sequence of bytes, decompressed on the way: plain, gzip (any number of members) or
// zstd (any number of frames), recognised by content. Parsers stand on this and know of no files. A stream may be used
// by one thread after the other, by one at a time.
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/bytes/checkpoints.hpp"
#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// Bytes of compressed input taken in at a time.
inline constexpr std::size_t kInputBlock = std::size_t{256} << 10;
/// In the place of text that was lost, whatever its length; enough that no reader takes its two sides for one.
inline constexpr std::size_t kZerosForLost = 1024;

/// Text that cannot be relied on: what was had of a gzip member or zstd frame that is damaged. What is decompressed
/// behind the damage is not what was compressed, and mostly it is only the checksum at the end that tells.
struct InputDamage {
  std::uint64_t text_begin = 0;  ///< of the member or frame
  std::uint64_t text_end = 0;    ///< what was had of it ends here
  Error error;
  bool cut_off = false;  ///< the data end early: nothing tells that what was had is wrong
};

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  /// Writes the next bytes to `into` (not empty) and returns how many; fewer than fit is no sign of the end, 0 is. A
  /// damaged or truncated input first yields what it still holds, then the error, and the same error from then on.
  /// What it holds includes gzip members and zstd frames behind a damaged one: where text is missing between them,
  /// kZerosForLost zeros stand for it.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
  /// Bytes of the file used so far, never fewer than before; the file's size once read() returned 0.
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;
  /// The file as it was when it was opened.
  [[nodiscard]] virtual const FileStamp& stamp() const = 0;
  /// What is damaged of that which was read so far, in the order of the file.
  [[nodiscard]] virtual std::span<const InputDamage> damage() const { return {}; }
  /// The checkpoints of what was read so far; null for plain text and if none were asked for. Later reads do not
  /// change what was returned, so this is for when the reading is over.
  [[nodiscard]] virtual std::shared_ptr<const Checkpoints> checkpoints() const { return nullptr; }
  /// The file itself if its bytes are the text, so that parts of it can be read apart; else null. Lives as long as the
  /// stream.
  [[nodiscard]] virtual const FileSource* plain() const { return nullptr; }
};

struct OpenOptions {
  /// May be null; must outlive the stream. Once cancelled, read() returns an error.
  const CancelToken* cancel = nullptr;
  GzipEngine engine = GzipEngine::best;
  /// Note checkpoints while reading: costs a few per cent of the time of decompressing, and see Checkpoints.
  bool keep_checkpoints = false;
  std::uint64_t checkpoint_spacing = 0;  ///< bytes of text between them; 0: what suits the decoder
  FileStamp expected{};                  ///< unless all 0: any other file there is an error
};

/// Opens `path` and recognises its format. Errors: see FileSource::open; an empty file; content that is neither text
/// nor a known compression; a file that is not the expected one.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> open_byte_stream(const std::string& path,
                                                                   const OpenOptions& options = {});
[[nodiscard]] inline Result<std::unique_ptr<ByteStream>> open_byte_stream(const std::string& path,
                                                                          const CancelToken* cancel) {
  return open_byte_stream(path, OpenOptions{.cancel = cancel});
}

/// The text of `path` from byte `offset` on: at once if it is plain, from the nearest of `checkpoints` if it is
/// compressed and they (may be null) are of this very file, else from the begin. With keep_checkpoints none are noted.
/// Only one stream at a time can go on from a state within a zstd frame, until it is destroyed or at its end: another
/// waits for it, at most half a second, and then begins with the frame.
/// Errors: as open_byte_stream, and if the text ends before `offset`; a plain file's text may do so without an error.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> open_byte_stream_at(const std::string& path, std::uint64_t offset,
                                                                      const Checkpoints* checkpoints = nullptr,
                                                                      const OpenOptions& options = {});

}  // namespace warpscope::ingest
