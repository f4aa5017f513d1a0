#pragma once
// Writes a ZIP archive without compression, piece by piece: only one member is in memory at a time. The contents of
// each member start at a multiple of 64 bytes, so a reader can map the file and use arrays where they are. Archives
// beyond 4 GiB use ZIP64.
//
// Source: APPNOTE.TXT, the ZIP file format specification by PKWARE, §4.3 to §4.5; zipalign of Android for the padding.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/big_vector.hpp"

namespace warpscope {

/// Receives the bytes of a file, in order.
using ByteSink = std::function<void(std::string_view bytes)>;

inline constexpr std::uint64_t kZip64From = 0xFFFFFFFF;

class StoredZip {
 public:
  /// `zip64_from`: the size or position from which ZIP64 is used, for tests.
  explicit StoredZip(ByteSink sink, std::uint64_t zip64_from = kZip64From)
      : sink_(std::move(sink)), zip64_from_(zip64_from) {}

  /// Writes a member of `size` bytes, which `fill` provides. `name`: UTF-8, at most 65,535 bytes.
  void add(const std::string& name, std::uint64_t size, const std::function<void(std::span<char>)>& fill);
  /// Writes the end of the archive. Call once.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint64_t size = 0;
    std::uint64_t position = 0;
    std::uint32_t crc = 0;
  };
  [[nodiscard]] bool is_large(std::uint64_t value) const { return value >= zip64_from_; }
  [[nodiscard]] std::uint32_t clipped(std::uint64_t value) const;
  void write(std::string_view bytes);
  void append_common(std::string& out, const Member& member, bool zip64) const;
  [[nodiscard]] std::string local_header(const Member& member) const;
  void append_entry(std::string& out, const Member& member) const;

  ByteSink sink_;
  std::uint64_t zip64_from_;
  std::uint64_t written_ = 0;
  std::vector<Member> members_;
  BigVector<char> data_;  // of one member
};

}  // namespace warpscope
