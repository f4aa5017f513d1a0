#include "render/gl/image.hpp"

#include <png.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/files/new_file.hpp"

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
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  if (::access(path.c_str(), F_OK) == 0 && ::access(path.c_str(), W_OK) != 0)
    return Error{path.string(), "is write-protected", "make it writable first or choose another file"};
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0)
    return Error{path.string(), std::string("cannot be written: ") + png.message, ""};
  return replace_file(path, std::string_view(bytes).substr(0, size));
}

}  // namespace warpscope::gl
