#pragma once
// "1600x1000" as the command line takes it.
#include <string_view>

#include "core/base/result.hpp"

namespace warpscope::cli {

struct PictureSize {
  int width = 0;
  int height = 0;
};

/// Output pixels, at least 320 x 200 and at most 16384 either way.
[[nodiscard]] Result<PictureSize> parse_picture_size(std::string_view text);

}  // namespace warpscope::cli
