#include "core/ingest/bytes/early_end.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "core/ingest/bytes/content_kind.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kEnd = 512;
constexpr std::uint64_t kHighestRatio = 1032;  // of deflate output
constexpr std::size_t kLeastGzip = 18;         // header and trailer of a member

constexpr std::uint32_t kZstdFrame = 0xFD2FB528;
constexpr std::uint32_t kZstdSkippable = 0x184D2A50;  // and the fifteen after it

template <std::size_t Size>
std::string_view bytes_at(const FileSource& file, std::uint64_t offset, std::array<char, Size>& into) {
  if (offset >= file.stamp().size) return {};
  const auto got = file.read_at(offset, into);
  return got ? std::string_view(into.data(), *got) : std::string_view();
}

/// Returns the little-endian number in `bytes`, eight at most.
std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

bool plain_ends_too_early(const FileSource& file, std::string_view text) {
  const std::size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  std::array<char, kEnd> tail{};
  const std::uint64_t size = file.stamp().size;
  const std::string_view end = bytes_at(file, size - std::min<std::uint64_t>(kEnd, size), tail);
  const std::size_t last = end.find_last_not_of(std::string_view(" \t\r\n\0", 5));
  return last != std::string_view::npos && end[last] != '}';
}

bool gzip_ends_too_early(const FileSource& file) {
  const std::uint64_t size = file.stamp().size;
  if (size < kLeastGzip) return true;
  std::array<char, 4> trailer{};
  const std::string_view end = bytes_at(file, size - trailer.size(), trailer);
  return end.size() == trailer.size() && little_endian(end) > size * kHighestRatio;
}

/// Walks from header to header of a zstd file.
class ZstdChain {
 public:
  explicit ZstdChain(const FileSource& file) : file_(file), size_(file.stamp().size) {}

  /// Returns true if it leads past the end. False at the end, at other data, and if it is too long.
  bool leads_past_end() {
    while (at_ < size_) {
      std::array<char, 18> header{};
      const std::string_view bytes = next(header);
      if (bytes.size() < 5) return begins_a_frame(bytes);
      const auto magic = static_cast<std::uint32_t>(little_endian(bytes.substr(0, 4)));
      if (magic - kZstdSkippable < 16) {
        if (bytes.size() < 8) return true;
        at_ += 8 + little_endian(bytes.substr(4, 4));
      } else if (magic != kZstdFrame) {
        return false;
      } else if (const auto known = frame_leads_past_end(static_cast<unsigned char>(bytes[4]))) {
        return *known;
      }
    }
    return at_ > size_;
  }

 private:
  template <std::size_t Size>
  std::string_view next(std::array<char, Size>& into) {
    if (looks_ == kMostZstdHeaders) return {};
    ++looks_;
    return bytes_at(file_, at_, into);
  }

  static bool begins_a_frame(std::string_view bytes) {
    constexpr std::string_view kMagic = "\x28\xB5\x2F\xFD";
    return !bytes.empty() && kMagic.starts_with(bytes.substr(0, 4));
  }

  /// Moves from the frame at `at_`, whose header's first byte is `descriptor`, to the next one; returns the answer if
  /// it is known.
  std::optional<bool> frame_leads_past_end(unsigned descriptor) {
    constexpr std::array<std::uint64_t, 4> kDictionary = {0, 1, 2, 4};
    const bool single_segment = (descriptor >> 5 & 1u) != 0;
    const std::array<std::uint64_t, 4> content_size = {single_segment ? 1u : 0u, 2, 4, 8};
    at_ += 4 + 1 + (single_segment ? 0 : 1) + kDictionary[descriptor & 3u] + content_size[descriptor >> 6];
    for (bool last = false; !last;) {
      if (at_ >= size_) return true;
      std::array<char, 3> header{};
      const std::string_view bytes = next(header);
      if (bytes.size() < header.size()) return at_ + header.size() > size_;
      const std::uint64_t block = little_endian(bytes);
      constexpr std::uint64_t kRepeated = 1;
      constexpr std::uint64_t kReserved = 3;
      const std::uint64_t type = block >> 1 & 3u;
      if (type == kReserved) return false;
      last = (block & 1u) != 0;
      at_ += header.size() + (type == kRepeated ? 1 : block >> 3);
    }
    if ((descriptor >> 2 & 1u) != 0) at_ += 4;  // a checksum
    return std::nullopt;
  }

  const FileSource& file_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;
  std::size_t looks_ = 0;
};

}  // namespace

bool ends_too_early(const FileSource& file, std::string_view text) {
  std::array<char, 512> head{};
  switch (content_kind(bytes_at(file, 0, head))) {
    case ContentKind::text:
      return plain_ends_too_early(file, text);
    case ContentKind::gzip:
      return gzip_ends_too_early(file);
    case ContentKind::zstd:
      return ZstdChain(file).leads_past_end();
    case ContentKind::foreign:
      break;
  }
  return false;
}

}  // namespace warpscope::ingest
