#pragma once
// Parses image sizes such as "1600x1000" on the command line.
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::cli {

struct PictureSize {
  int width = 0;
  int height = 0;
};

/// Parses a size in output pixels, from 320 x 200 to 16384 x 16384.
[[nodiscard]] Result<PictureSize> parse_picture_size(std::string_view text);

}  // namespace warpscope::cli
