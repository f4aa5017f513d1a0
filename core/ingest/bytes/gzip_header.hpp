#pragma once
// The header of a gzip member (RFC 1952, 2.3), byte by byte as blocks of input happen to hold it.
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpscope::ingest {

class GzipHeader {
 public:
  enum class Status : std::uint8_t { more, done, damaged };

  /// Takes bytes of `input` until the header is complete or wrong; `used` gains their number. Names and comments of any
  /// length are passed over.
  Status take(std::span<const char> input, std::size_t& used);

 private:
  enum class Part : std::uint8_t { fixed, extra_length, extra, name, comment, checksum, done };

  Status take(std::uint8_t byte);
  Status next_part();

  Part part_ = Part::fixed;
  std::uint32_t count_ = 0;  ///< bytes of the part so far
  std::uint32_t flags_ = 0;
  std::uint32_t number_ = 0;  ///< the last number of two bytes
  std::uint32_t crc_ = 0xffffffff;
};

}  // namespace warpscope::ingest
