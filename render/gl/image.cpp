#include "render/gl/image.hpp"

#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

namespace warpscope::gl {

namespace {

std::size_t pixel_count(const Image& image) {
  return static_cast<std::size_t>(std::max(image.width, 0)) * static_cast<std::size_t>(std::max(image.height, 0));
}

}  // namespace

Failure write_png(const std::filesystem::path& path, const Image& image) {
  if (pixel_count(image) == 0 || image.rgb.size() != 3 * pixel_count(image)) {
    return Error{path.string(), "there is no picture to write", "give a width and a height of at least 1 pixel"};
  }
  // libpng removes a file that it failed to write, even a device.
  std::error_code unknown;
  const auto there = std::filesystem::status(path, unknown);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    return Error{path.string(), "is no file but a folder, device, pipe or socket", "choose another file"};
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  const auto failed = [&path](const std::string& why) {
    return Error{path.string(), "cannot write the picture: " + why,
                 "check that the folder exists, is writable and has room"};
  };
  if (std::filesystem::exists(there) && ::access(path.c_str(), W_OK) != 0) return failed(std::strerror(errno));
  // Write to a temporary name until complete, so that `path` stays unchanged on failure. Links are followed.
  std::filesystem::path target = std::filesystem::exists(there) ? std::filesystem::canonical(path, unknown) : path;
  if (unknown) target = path;
  const std::filesystem::path draft = target.string() + ".tmp-" + std::to_string(::getpid());
  if (png_image_write_to_file(&png, draft.c_str(), 0, image.rgb.data(), 0, nullptr) == 0) return failed(png.message);
  std::error_code refused;
  std::filesystem::rename(draft, target, refused);
  if (!refused) return std::nullopt;
  std::filesystem::remove(draft, unknown);
  return failed(refused.message());
}

Result<Image> read_png(const std::filesystem::path& path) {
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

std::size_t differing_pixels(const Image& a, const Image& b, int tolerance) {
  if (a.width != b.width || a.height != b.height) return std::max(pixel_count(a), pixel_count(b));
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

}  // namespace warpscope::gl
