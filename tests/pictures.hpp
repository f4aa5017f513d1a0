#pragma once
// Reads and compares pictures.
#include <png.h>

#include <algorithm>
#include <cstdlib>

#include "render/gl/image.hpp"

namespace warpscope::tests {

using gl::Image;

/// Reads any PNG and converts it to 8-bit RGB; transparent parts are blended with black.
inline Result<Image> read_png(const std::filesystem::path& path) {
  const auto failed = [&path](png_image& png) {
    Error error{path.string(), std::string("cannot read the picture: ") + png.message, "give a PNG file"};
    png_image_free(&png);
    return error;
  };
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) return failed(png);
  png.format = PNG_FORMAT_RGB;
  Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  const png_color black{0, 0, 0};
  if (png_image_finish_read(&png, &black, image.rgb.data(), 0, nullptr) == 0) return failed(png);
  return image;
}

/// Counts the pixels that differ by more than `tolerance` (0 to 255) in a channel. If the sizes differ, all pixels of
/// the larger picture count.
inline std::size_t differing_pixels(const Image& a, const Image& b, int tolerance = 0) {
  if (a.width != b.width || a.height != b.height) return std::max(a.rgb.size(), b.rgb.size()) / 3;
  std::size_t differing = 0;
  for (std::size_t at = 0; at < a.rgb.size(); at += 3) {
    int worst = 0;
    for (std::size_t channel = at; channel < at + 3; ++channel) {
      worst = std::max(worst, std::abs(int{a.rgb[channel]} - int{b.rgb[channel]}));
    }
    if (worst > tolerance) ++differing;
  }
  return differing;
}

}  // namespace warpscope::tests
