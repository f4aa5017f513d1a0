#include "core/ingest/bytes/gzip_header.hpp"

#include <array>

namespace warpscope::ingest {
namespace {

constexpr std::array<std::uint8_t, 3> kMagic{0x1f, 0x8b, 8};  // and the method: deflate
constexpr std::uint32_t kFixedBytes = 10;
constexpr std::uint32_t kHasChecksum = 2;
constexpr std::uint32_t kHasExtra = 4;
constexpr std::uint32_t kHasName = 8;
constexpr std::uint32_t kHasComment = 16;
constexpr std::uint32_t kReserved = 0xe0;

/// CRC-32 of RFC 1952, bit by bit, because headers are short.
std::uint32_t add_to_crc(std::uint32_t crc, std::uint8_t byte) {
  crc ^= byte;
  for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320U & (0U - (crc & 1U)));
  return crc;
}

}  // namespace

GzipHeader::Status GzipHeader::take(std::span<const char> input, std::size_t& used) {
  for (const char each : input) {
    ++used;
    if (const Status status = take(static_cast<std::uint8_t>(each)); status != Status::more) return status;
  }
  return Status::more;
}

GzipHeader::Status GzipHeader::take(std::uint8_t byte) {
  if (part_ != Part::checksum) crc_ = add_to_crc(crc_, byte);
  const std::uint32_t at = count_++;
  switch (part_) {
    case Part::fixed:
      if (at < kMagic.size() && byte != kMagic[at]) return Status::damaged;
      if (at == kMagic.size()) flags_ = byte;
      if ((flags_ & kReserved) != 0) return Status::damaged;
      return count_ == kFixedBytes ? next_part() : Status::more;
    case Part::extra_length:
    case Part::checksum:
      number_ = at == 0 ? byte : number_ | std::uint32_t{byte} << 8;
      return count_ == 2 ? next_part() : Status::more;
    case Part::extra:
      return count_ == number_ ? next_part() : Status::more;
    case Part::name:
    case Part::comment:
      count_ = 0;  // unused, and may overflow in a long text
      return byte == 0 ? next_part() : Status::more;
    case Part::done:
      break;
  }
  return Status::done;
}

/// Moves to the next part of this header.
GzipHeader::Status GzipHeader::next_part() {
  const Part last = part_;
  count_ = 0;
  if (last == Part::checksum) {
    part_ = Part::done;
    return number_ == (~crc_ & 0xffff) ? Status::done : Status::damaged;
  }
  if (last == Part::fixed && (flags_ & kHasExtra) != 0)
    part_ = Part::extra_length;
  else if (last == Part::extra_length && number_ > 0)
    part_ = Part::extra;
  else if (last < Part::name && (flags_ & kHasName) != 0)
    part_ = Part::name;
  else if (last < Part::comment && (flags_ & kHasComment) != 0)
    part_ = Part::comment;
  else if ((flags_ & kHasChecksum) != 0)
    part_ = Part::checksum;
  else
    part_ = Part::done;
  return part_ == Part::done ? Status::done : Status::more;
}

}  // namespace warpscope::ingest
