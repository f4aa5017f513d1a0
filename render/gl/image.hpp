#pragma once
// An in-memory image and a function that writes it as a PNG file.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/result.hpp"

namespace warpscope::gl {

struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 * width * height bytes, rows from the top, sRGB

  /// Returns a pixel as 0xRRGGBB; x and y must be inside the image.
  [[nodiscard]] std::uint32_t pixel(int x, int y) const {
    const auto at = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return static_cast<std::uint32_t>(rgb[at] << 16 | rgb[at + 1] << 8 | rgb[at + 2]);
  }

  friend bool operator==(const Image&, const Image&) = default;
};

/// Writes a non-interlaced 8-bit RGB PNG. Replaces an existing file only on success, and leaves no partial file on
/// failure.
Failure write_png(const std::filesystem::path& path, const Image& image);

}  // namespace warpscope::gl
