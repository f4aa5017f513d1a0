#pragma once
// Parses the header of a gzip member (RFC 1952, 2.3), across blocks of input.
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpscope::ingest {

class GzipHeader {
 public:
  enum class Status : std::uint8_t { more, done, damaged };

  /// Consumes bytes of `input` until the header is complete or invalid; adds their number to `used`. Skips names and
  /// comments of any length.
  Status take(std::span<const char> input, std::size_t& used);

 private:
  enum class Part : std::uint8_t { fixed, extra_length, extra, name, comment, checksum, done };

  Status take(std::uint8_t byte);
  Status next_part();

  Part part_ = Part::fixed;
  std::uint32_t count_ = 0;  ///< bytes of the current part so far
  std::uint32_t flags_ = 0;
  std::uint32_t number_ = 0;  ///< the last two-byte number
  std::uint32_t crc_ = 0xffffffff;
};

}  // namespace warpscope::ingest
