#pragma once
// One raw deflate stream (RFC 1951), decoded piece by piece by one of two libraries behind one face: ISA-L is three
// times as fast as zlib and not packaged everywhere. What is around the stream (RFC 1952: headers, checksums, members)
// is gzip_stream.cpp's and so the same for both. Where a stream is cut off ISA-L may give up to two bytes less than
// zlib, and in damaged blocks it may notice later; of sound streams both give the same.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/ingest/bytes/checkpoints.hpp"

namespace warpscope::ingest {

class Inflater {
 public:
  enum class Status : std::uint8_t { more, done, damaged };
  struct Step {
    std::size_t used = 0;      ///< of the input
    std::size_t produced = 0;  ///< of the output
    Status status = Status::more;
  };

  virtual ~Inflater() = default;

  /// Makes ready for the begin of another stream.
  virtual void reset() = 0;
  /// `input` may be empty (the file is at its end: what is still held back comes out), `into` not. Neither used nor
  /// produced anything: there is nothing to be had without more input. Text before damage is produced first.
  virtual Step decode(std::span<const char> input, std::span<char> into) = 0;
  /// Once done or damaged: what was taken in and lies behind the end, at most 8 bytes. Valid until the next decode().
  [[nodiscard]] virtual std::string_view surplus() const = 0;
  /// CRC-32 (RFC 1952) of what `crc` is of (0 for nothing) and `text` behind it.
  [[nodiscard]] virtual std::uint32_t checksum(std::uint32_t crc, std::span<const char> text) const = 0;

  /// The state between two calls of decode(), the last of which gave Status::more.
  [[nodiscard]] virtual std::shared_ptr<const DecoderState> save() const = 0;
  /// Goes on from `state`, which an inflater of the same engine saved.
  virtual void restore(const DecoderState& state) = 0;
};

[[nodiscard]] std::unique_ptr<Inflater> make_zlib_inflater();
/// Null if the program was built without ISA-L.
[[nodiscard]] std::unique_ptr<Inflater> make_isal_inflater();

}  // namespace warpscope::ingest
