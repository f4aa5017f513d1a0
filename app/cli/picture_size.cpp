#include "app/cli/picture_size.hpp"

#include <charconv>

namespace warpscope::cli {

Result<PictureSize> parse_picture_size(std::string_view text) {
  constexpr int kLeastWidth = 320;
  constexpr int kLeastHeight = 200;
  constexpr int kMost = 16384;
  PictureSize size;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  if (width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, end, size.height);
    const bool whole = height.ec == std::errc{} && height.ptr == end;
    if (whole && size.width >= kLeastWidth && size.height >= kLeastHeight && size.width <= kMost &&
        size.height <= kMost)
      return size;
  }
  return Error{"--size " + std::string(text), "is not a picture size",
               "give WIDTHxHEIGHT in pixels, from 320x200 to 16384x16384"};
}

}  // namespace warpscope::cli
