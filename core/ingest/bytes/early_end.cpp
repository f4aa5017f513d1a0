#include "core/ingest/bytes/early_end.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/ingest/bytes/content_kind.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kEnd = 512;
constexpr std::uint64_t kHighestRatio = 1032;  // of deflate output
constexpr std::size_t kLeastGzip = 18;         // header and trailer of a member

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

}  // namespace

bool ends_too_early(const FileSource& file, std::string_view text) {
  std::array<char, 512> head{};
  switch (content_kind(bytes_at(file, 0, head))) {
    case ContentKind::text:
      return plain_ends_too_early(file, text);
    case ContentKind::gzip:
      return gzip_ends_too_early(file);
    case ContentKind::zstd:
    case ContentKind::foreign:
      break;
  }
  return false;
}

}  // namespace warpscope::ingest
