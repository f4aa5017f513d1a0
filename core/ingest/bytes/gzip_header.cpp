#include "core/ingest/bytes/gzip_header.hpp"

#include <zlib.h>

namespace warpscope::ingest {
namespace {

constexpr std::string_view kMagic = "\x1f\x8b\x08";  // and the method: deflate
constexpr std::size_t kFixed = 10;
constexpr std::size_t kLongest = std::size_t{1} << 20;
constexpr unsigned kHasChecksum = 2;
constexpr unsigned kHasExtra = 4;
constexpr unsigned kReserved = 0xe0;

}  // namespace

GzipHeader parse_gzip_header(std::string_view bytes) {
  constexpr GzipHeader kDamaged{GzipHeader::Status::damaged};
  const GzipHeader more{bytes.size() > kLongest ? GzipHeader::Status::damaged : GzipHeader::Status::more};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  const auto number_at = [&](std::size_t at) { return byte(at) | static_cast<unsigned>(byte(at + 1)) << 8; };
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size())) return kDamaged;
  if (bytes.size() < kFixed) return more;
  const unsigned flags = byte(3);
  if ((flags & kReserved) != 0) return kDamaged;
  std::size_t at = kFixed;
  if ((flags & kHasExtra) != 0) {
    if (bytes.size() < at + 2) return more;
    at += 2 + number_at(at);
  }
  for (const unsigned has_text : {8U, 16U}) {  // a name, a comment
    if ((flags & has_text) == 0) continue;
    const std::size_t end = bytes.find('\0', at);
    if (end == std::string_view::npos) return more;
    at = end + 1;
  }
  if ((flags & kHasChecksum) != 0) {
    if (bytes.size() < at + 2) return more;
    const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), at);
    if ((crc & 0xffffU) != number_at(at)) return kDamaged;
    at += 2;
  }
  return bytes.size() < at ? more : GzipHeader{GzipHeader::Status::done, at};
}

}  // namespace warpscope::ingest
