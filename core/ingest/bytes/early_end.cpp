#include "core/ingest/bytes/early_end.hpp"

#include <algorithm>
#include <cstdint>

#include "core/ingest/bytes/content_kind.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kEnd = 512;
constexpr std::uint64_t kHighestRatio = 1032;  // of deflate output

bool plain_ends_too_early(const FileSource& file, std::string_view text) {
  const std::size_t first = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  const std::uint64_t size = file.stamp().size;
  const auto end = file.text_at(size - std::min<std::uint64_t>(kEnd, size), kEnd);
  if (!end) return false;
  const std::size_t last = end->find_last_not_of(std::string_view(" \t\r\n\0", 5));
  return last != std::string::npos && (*end)[last] != '}';
}

bool gzip_ends_too_early(const FileSource& file) {
  const auto length = gzip_text_length(file);
  return !length || *length > file.stamp().size * kHighestRatio;
}

}  // namespace

std::optional<std::uint32_t> gzip_text_length(const FileSource& file) {
  constexpr std::uint64_t kLeast = 18;  // header and trailer of a member
  constexpr std::size_t kLength = 4;
  const std::uint64_t size = file.stamp().size;
  if (size < kLeast) return std::nullopt;
  const auto bytes = file.text_at(size - kLength, kLength);
  std::uint32_t length = 0;
  for (std::size_t i = bytes && bytes->size() == kLength ? kLength : 0; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>((*bytes)[i]);
  return length;
}

bool ends_too_early(const FileSource& file, std::string_view text) {
  const auto head = file.text_at(0, kContentHead);
  const ContentKind kind = head ? content_kind(*head) : ContentKind::foreign;
  return (kind == ContentKind::text && plain_ends_too_early(file, text)) ||
         (kind == ContentKind::gzip && gzip_ends_too_early(file));
}

}  // namespace warpscope::ingest
