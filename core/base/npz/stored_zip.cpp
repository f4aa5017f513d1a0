#include "core/base/npz/stored_zip.hpp"

#include <zlib.h>

namespace warpscope {

namespace {

constexpr std::uint32_t kLargest32 = 0xFFFFFFFF;
constexpr std::uint16_t kLargest16 = 0xFFFF;
constexpr std::uint16_t kUtf8Name = 1 << 11;
constexpr std::uint16_t kFirstOfJanuary1980 = 0x21;
constexpr std::uint16_t kZip64 = 45;  // version of the format that a reader needs
constexpr std::uint16_t kPlain = 20;
constexpr std::uint16_t kPaddingId = 0xD935;
constexpr std::uint64_t kAligned = 64;

void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i);
}

}  // namespace

std::uint32_t StoredZip::clipped(std::uint64_t value) const {
  return is_large(value) ? kLargest32 : static_cast<std::uint32_t>(value);
}

void StoredZip::write(std::string_view bytes) {
  sink_(bytes);
  written_ += bytes.size();
}

/// The fields that a member's local header and its entry in the directory share.
void StoredZip::append_common(std::string& out, const Member& member, bool zip64) const {
  append_number(out, zip64 ? kZip64 : kPlain, 2);
  append_number(out, kUtf8Name, 2);
  append_number(out, 0, 2);  // stored
  append_number(out, 0, 2);  // time
  append_number(out, kFirstOfJanuary1980, 2);
  append_number(out, member.crc, 4);
  append_number(out, clipped(member.size), 4);
  append_number(out, clipped(member.size), 4);
  append_number(out, member.name.size(), 2);
}

std::string StoredZip::local_header(const Member& member) const {
  const bool large = is_large(member.size);
  std::string out("PK\3\4", 4);
  append_common(out, member, large);
  constexpr std::uint64_t kPaddingHeader = 6;
  const std::uint64_t zip64 = large ? 20 : 0;
  const std::uint64_t unpadded = member.position + out.size() + 2 + member.name.size() + zip64 + kPaddingHeader;
  const std::uint64_t padding = (kAligned - unpadded % kAligned) % kAligned;
  append_number(out, zip64 + kPaddingHeader + padding, 2);
  out += member.name;
  if (large) {
    append_number(out, 1, 2);
    append_number(out, 16, 2);
    append_number(out, member.size, 8);
    append_number(out, member.size, 8);
  }
  append_number(out, kPaddingId, 2);
  append_number(out, 2 + padding, 2);
  append_number(out, kAligned, 2);
  return out.append(static_cast<std::size_t>(padding), '\0');
}

void StoredZip::append_entry(std::string& out, const Member& member) const {
  const bool large = is_large(member.size);
  const bool far = is_large(member.position);
  out.append("PK\1\2", 4);
  append_number(out, kZip64, 2);
  append_common(out, member, large || far);
  const std::uint64_t extra = (large ? 16U : 0U) + (far ? 8U : 0U);
  append_number(out, extra > 0 ? extra + 4 : 0, 2);
  append_number(out, 0, 2);  // comment
  append_number(out, 0, 2);  // disk
  append_number(out, 0, 2);  // internal attributes
  append_number(out, 0, 4);  // external attributes
  append_number(out, clipped(member.position), 4);
  out += member.name;
  if (extra == 0) return;
  append_number(out, 1, 2);
  append_number(out, extra, 2);
  if (large) append_number(out, member.size, 8);
  if (large) append_number(out, member.size, 8);
  if (far) append_number(out, member.position, 8);
}

void StoredZip::add(const std::string& name, std::uint64_t size, const std::function<void(std::span<char>)>& fill) {
  data_.resize(static_cast<std::size_t>(size));
  fill(data_);
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(data_.data()), data_.size());
  members_.push_back({name, size, written_, static_cast<std::uint32_t>(crc)});
  write(local_header(members_.back()));
  write({data_.data(), data_.size()});
}

void StoredZip::finish() {
  const std::uint64_t directory = written_;
  std::string out;
  for (const Member& member : members_) append_entry(out, member);
  const std::uint64_t size = out.size();
  const bool large = members_.size() >= kLargest16 || is_large(directory) || is_large(size);
  if (large) {
    out.append("PK\6\6", 4);
    append_number(out, 44, 8);  // size of the rest of this record
    append_number(out, kZip64, 2);
    append_number(out, kZip64, 2);
    append_number(out, 0, 4);
    append_number(out, 0, 4);
    append_number(out, members_.size(), 8);
    append_number(out, members_.size(), 8);
    append_number(out, size, 8);
    append_number(out, directory, 8);
    out.append("PK\6\7", 4);
    append_number(out, 0, 4);
    append_number(out, directory + size, 8);
    append_number(out, 1, 4);
  }
  out.append("PK\5\6", 4);
  append_number(out, 0, 4);
  for (int i = 0; i < 2; ++i) append_number(out, large ? kLargest16 : members_.size(), 2);
  append_number(out, large ? kLargest32 : size, 4);
  append_number(out, large ? kLargest32 : directory, 4);
  append_number(out, 0, 2);  // comment
  write(out);
}

}  // namespace warpscope
