#pragma once
// The text of a trace file as a sequence of bytes, decompressed on the way: plain, gzip (any number of members) or
// zstd (any number of frames), recognised by content. Parsers stand on this and know of no files.
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/file_source.hpp"

namespace warpscope::ingest {

/// Bytes of compressed input taken in at a time.
inline constexpr std::size_t kInputBlock = std::size_t{256} << 10;

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  /// Writes the next bytes to `into` (not empty) and returns how many; fewer than fit is no sign of the end, 0 is. A
  /// damaged or truncated input first yields what it still holds, then the error, and the same error from then on.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
  /// Bytes of the file used so far; the file's size once read() returned 0.
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;
  /// The file as it was when it was opened.
  [[nodiscard]] virtual const FileStamp& stamp() const = 0;
};

/// Opens `path` and recognises its format. Errors: see FileSource::open; an empty file; content that is neither text
/// nor a known compression. A cancelled `cancel` (may be null; must outlive the stream) makes read() return an error
/// within one input block.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> open_byte_stream(const std::string& path,
                                                                   const CancelToken* cancel = nullptr);

}  // namespace warpscope::ingest
