#pragma once
// Reads a trace file's text as a byte stream, decompressing it on the fly: plain text, gzip (any number of members) or
// zstd (any number of frames), detected by content. Parsers depend on this interface, not on files. Several threads may
// use a stream, but only one at a time.
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

/// Bytes of compressed input read at a time.
inline constexpr std::size_t kInputBlock = std::size_t{256} << 10;

/// A corrupt gzip member or zstd frame. Its text after the corrupt byte differs from the original; often only the
/// checksum at the end reveals the corruption.
struct InputDamage {
  std::uint64_t text_end = 0;  ///< end of its text
  Error error;
  bool cut_off = false;  ///< truncated: nothing indicates that the output is wrong
};

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  /// Reads the next bytes into `into` (not empty) and returns how many. Reads may be short; only 0 indicates the end.
  /// For corrupt or truncated input, yields all readable text first, then returns an error, which all later calls
  /// repeat. Read sizes never affect offsets, but may affect the text of a corrupt gzip block.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
  /// Returns the number of file bytes consumed so far. Never decreases; equals the file's size once read() has returned
  /// 0.
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;
  /// Returns the file's stamp at the time it was opened.
  [[nodiscard]] virtual const FileStamp& stamp() const = 0;
  /// Returns the corruption found so far, in file order.
  [[nodiscard]] virtual std::span<const InputDamage> damage() const { return {}; }
  /// Returns the file if it is uncompressed, for reading parts of the text directly; otherwise null. Valid for the
  /// lifetime of the stream.
  [[nodiscard]] virtual const FileSource* plain() const { return nullptr; }
};

/// The gzip decompressor. `best` is ISA-L if the program was built with it, otherwise zlib.
enum class GzipEngine : std::uint8_t { best, zlib, isal };

struct OpenOptions {
  /// May be null; must outlive the stream. Once cancelled, read() returns an error.
  const CancelToken* cancel = nullptr;
  GzipEngine engine = GzipEngine::best;
  FileStamp expected{};  ///< unless all zero, opening any other file is an error
};

/// Opens a file and detects its compression, or opens a group of files (see file_group.hpp). Errors: those of
/// FileSource::open(); the file is empty, is neither text nor in a known compression format, or is not the expected
/// file.
[[nodiscard]] Result<std::unique_ptr<ByteStream>> open_byte_stream(const std::string& path,
                                                                   const OpenOptions& options = {});
[[nodiscard]] inline Result<std::unique_ptr<ByteStream>> open_byte_stream(const std::string& path,
                                                                          const CancelToken* cancel) {
  return open_byte_stream(path, OpenOptions{.cancel = cancel});
}

/// Opens the text of `path` at byte `offset`; decompresses and skips the text before it. Errors: those of
/// open_byte_stream(); the text ends before `offset` (not always detected in plain text).
[[nodiscard]] Result<std::unique_ptr<ByteStream>> open_byte_stream_at(const std::string& path, std::uint64_t offset,
                                                                      const OpenOptions& options = {});

}  // namespace warpscope::ingest
