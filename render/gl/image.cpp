#include "render/gl/image.hpp"

#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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
    return Error{path.string(), "the image is empty", "use a width and height of at least 1 pixel"};
  }
  // libpng removes a file that it failed to write, even a device.
  std::error_code unknown;
  const auto there = std::filesystem::status(path, unknown);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    return Error{path.string(), "is a folder, device, pipe or socket, not a file", "choose another file"};
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  const auto failed = [&path](const std::string& why) {
    return Error{path.string(), "cannot write the image: " + why,
                 "check that the folder exists, is writable and has free space"};
  };
  if (std::filesystem::exists(there) && ::access(path.c_str(), W_OK) != 0) return failed(std::strerror(errno));
  // Write to a temporary name until complete, so `path` stays unchanged on failure. Follow symbolic links.
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

}  // namespace warpscope::gl
