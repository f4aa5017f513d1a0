#pragma once
// Decodes a raw deflate stream (RFC 1951) piece by piece, using either of two libraries: ISA-L is three times as fast
// as zlib but not packaged everywhere. gzip_stream.cpp handles everything around the stream (RFC 1952: headers,
// checksums, members) for both. For a truncated stream, ISA-L may produce up to two bytes fewer than zlib, and in
// corrupt blocks it may detect the error later; for valid streams, both produce the same output.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace warpscope::ingest {

class Inflater {
 public:
  enum class Status : std::uint8_t { more, done, damaged };
  struct Step {
    std::size_t used = 0;      ///< input bytes
    std::size_t produced = 0;  ///< output bytes
    Status status = Status::more;
  };

  virtual ~Inflater() = default;

  /// Prepares for another stream.
  virtual void reset() = 0;
  /// `input` may be empty at the end of the file, which flushes pending output; `into` must not be empty. If no input
  /// was used and no output produced, more input is needed. Produces all text that precedes an error before reporting
  /// it.
  virtual Step decode(std::span<const char> input, std::span<char> into) = 0;
  /// Once done or corrupt, returns the bytes consumed past the end, at most 8. Valid until the next decode().
  [[nodiscard]] virtual std::string_view surplus() const = 0;
  /// Updates `crc`, a CRC-32 (RFC 1952; 0 at the start of the data), with `text` and returns the result.
  [[nodiscard]] virtual std::uint32_t checksum(std::uint32_t crc, std::span<const char> text) const = 0;
};

[[nodiscard]] std::unique_ptr<Inflater> make_zlib_inflater();
/// Returns null if the program was built without ISA-L.
[[nodiscard]] std::unique_ptr<Inflater> make_isal_inflater();

}  // namespace warpscope::ingest
