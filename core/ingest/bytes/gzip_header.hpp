#pragma once
// Parses the header of a gzip member (RFC 1952, 2.3).
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpscope::ingest {

struct GzipHeader {
  enum class Status : std::uint8_t { more, done, damaged };
  Status status = Status::more;
  std::size_t length = 0;  ///< if done
};

/// Parses the header at the start of `bytes`, which may end within it. A header of more than one MiB counts as corrupt.
[[nodiscard]] GzipHeader parse_gzip_header(std::string_view bytes);

}  // namespace warpscope::ingest
